rtl/common/rotating_pick.sv
rtl/torus/fault_region.sv
rtl/torus/torus_walls.sv
rtl/torus/torus_direction.sv
rtl/torus/torus_aim.sv
rtl/torus/torus_turn.sv
rtl/torus/torus_route.sv
rtl/torus/torus_output.sv
