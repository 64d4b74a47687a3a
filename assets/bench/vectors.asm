; Curl noise: the cross product of two gradients of lattice noise, and a finer gradient, steer the velocity; size
; and colour over life. Position words 4–6, velocity 8–10, age 7, lifetime 11, colour 12–15, size 16.
.registers 56
.const c0 0.0 1.0 0.0 1.0
.const c1 1.0 0.9 0.5 1.0
.const c2 -0.9 -0.8 -0.4 -1.0
update:
    load_builtin.1 r0, delta_time
    load_field.3 r1, w4
    load_field.3 r4, w8
    load_const.4 r8, c0
    mad.3 r16, r1, 0.7, 11.5
    floor.3 r19, r16
    sub.3 r16, r16, r19
    mul.3 r22, r16, -2.0
    add.3 r22, r22, 3.0
    mul.3 r25, r16, r16
    mul.3 r22, r22, r25
    sub.3 r25, r16, r25
    mul.3 r25, r25, 6.0
    add.4 r28, r19.xxxx, r8
    add.4 r32, r19.yyyy, r8.xxyy
    hash.1 r36, r21, 3.0
    add.1 r37, r21, 1.0
    hash.1 r37, r37, 3.0
    hash.4 r38, r32, r36.xxxx
    hash.4 r42, r32, r37.xxxx
    hash.4 r38, r28, r38
    hash.4 r42, r28, r42
    sub.4 r42, r42, r38
    mad.4 r38, r42, r22.zzzz, r38
    sub.2 r28, r38.yw, r38.xz
    mad.2 r30, r28, r22.xx, r38.xz
    sub.1 r32, r29, r28
    mad.1 r46, r32, r23, r28
    sub.1 r47, r31, r30
    sub.2 r28, r42.yw, r42.xz
    mad.2 r30, r28, r22.xx, r42.xz
    sub.1 r32, r31, r30
    mad.1 r48, r32, r23, r30
    mul.3 r46, r46, r25
    mad.3 r16, r1, 0.7, 47.25
    floor.3 r19, r16
    sub.3 r16, r16, r19
    mul.3 r22, r16, -2.0
    add.3 r22, r22, 3.0
    mul.3 r25, r16, r16
    mul.3 r22, r22, r25
    sub.3 r25, r16, r25
    mul.3 r25, r25, 6.0
    add.4 r28, r19.xxxx, r8
    add.4 r32, r19.yyyy, r8.xxyy
    hash.1 r36, r21, 5.0
    add.1 r37, r21, 1.0
    hash.1 r37, r37, 5.0
    hash.4 r38, r32, r36.xxxx
    hash.4 r42, r32, r37.xxxx
    hash.4 r38, r28, r38
    hash.4 r42, r28, r42
    sub.4 r42, r42, r38
    mad.4 r38, r42, r22.zzzz, r38
    sub.2 r28, r38.yw, r38.xz
    mad.2 r30, r28, r22.xx, r38.xz
    sub.1 r32, r29, r28
    mad.1 r49, r32, r23, r28
    sub.1 r50, r31, r30
    sub.2 r28, r42.yw, r42.xz
    mad.2 r30, r28, r22.xx, r42.xz
    sub.1 r32, r31, r30
    mad.1 r51, r32, r23, r30
    mul.3 r49, r49, r25
    mul.3 r16, r46.yzx, r49.zxy
    mul.3 r19, r46.zxy, r49.yzx
    sub.3 r52, r16, r19
    mad.3 r16, r1, 2.1, 5.75
    floor.3 r19, r16
    sub.3 r16, r16, r19
    mul.3 r22, r16, -2.0
    add.3 r22, r22, 3.0
    mul.3 r25, r16, r16
    mul.3 r22, r22, r25
    sub.3 r25, r16, r25
    mul.3 r25, r25, 6.0
    add.4 r28, r19.xxxx, r8
    add.4 r32, r19.yyyy, r8.xxyy
    hash.1 r36, r21, 7.0
    add.1 r37, r21, 1.0
    hash.1 r37, r37, 7.0
    hash.4 r38, r32, r36.xxxx
    hash.4 r42, r32, r37.xxxx
    hash.4 r38, r28, r38
    hash.4 r42, r28, r42
    sub.4 r42, r42, r38
    mad.4 r38, r42, r22.zzzz, r38
    sub.2 r28, r38.yw, r38.xz
    mad.2 r30, r28, r22.xx, r38.xz
    sub.1 r32, r29, r28
    mad.1 r46, r32, r23, r28
    sub.1 r47, r31, r30
    sub.2 r28, r42.yw, r42.xz
    mad.2 r30, r28, r22.xx, r42.xz
    sub.1 r32, r31, r30
    mad.1 r48, r32, r23, r30
    mul.3 r46, r46, r25
    mad.3 r52, r46, 0.25, r52
    sub.3 r52, r52, r4
    mul.1 r12, r0, 2.0
    mad.3 r4, r52, r12.xxx, r4
    mad.3 r1, r4, r0.xxx, r1
    store_field.3 w4, r1
    store_field.3 w8, r4
    load_field.1 r12, w7
    add.1 r12, r12, r0
    store_field.1 w7, r12
    load_field.1 r13, w11
    div.1 r14, r12, r13
    min.1 r14, r14, 1.0
    sub.1 r15, 1.0, r14
    mul.1 r13, r15, r14
    mul.1 r13, r13, 0.4
    store_field.1 w16, r13
    load_const.4 r16, c1
    load_const.4 r20, c2
    mad.4 r16, r14.xxxx, r20, r16
    store_field.4 w12, r16
