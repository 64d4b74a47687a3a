; Drag, gravity, age: position words 4–6, velocity 8–10, age 7.
.registers 12
update:
    load_builtin.1 r0, delta_time
    load_field.3 r1, w4
    load_field.3 r4, w8
    mul.1 r7, r0, -1.8
    exp2.1 r7, r7
    mul.3 r4, r4, r7.xxx
    mad.1 r5, r0, -9.81, r5
    mad.3 r1, r4, r0.xxx, r1
    store_field.3 w4, r1
    store_field.3 w8, r4
    load_field.1 r8, w7
    add.1 r8, r8, r0
    store_field.1 w7, r8
    cmp_le.1 r9, 2.0, r8
    kill.1 r9
