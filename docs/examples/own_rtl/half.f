-f rtl/route_compute/route_compute.f
rc_half.sv
