// Spawn commands: births asked for by the host become pending births of their rows.
// Reads commands. Writes the emitters' states. One thread a command; the host sends one command a row at most.
#include "lib/rows_write.wgsl"

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if (id.x >= frame.command_count) {
        return;
    }
    let command = commands[id.x];
    let row = command.x;
    let known = state_u(row, EMITTER_STATE_GENERATION);
    if (known != row_u(row, EMITTER_ROW_GENERATION) && known != 0u) {
        clear_state(row);
    }
    let pending = state_u(row, EMITTER_STATE_PENDING);
    set_state_u(row, EMITTER_STATE_PENDING, pending + min(command.y, 0xffffffffu - pending));
}
