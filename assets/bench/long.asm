; The short program and two layers of a swirl, value noise corner by corner whose slopes steer the velocity, with
; size and colour over life: 118 instructions, 70 of them arithmetic over one number, in 30 registers. Position
; words 4–6, velocity 8–10, age 7, lifetime 11, colour 12–15, size 16.
.registers 30
.const c0 1.0 0.9 0.5 1.0
.const c1 -0.5 -0.6 -0.4 -0.2
.const c2 0.1 0.1 0.1 0.0
update:
    load_builtin.1 r0, delta_time
    load_field.3 r1, w4
    load_field.3 r4, w8
    mad.3 r7, r1, 0.7, 11.5
    floor.3 r10, r7
    sub.3 r7, r7, r10
    mul.3 r16, r7, r7
    mul.3 r13, r7, -2.0
    add.3 r13, r13, 3.0
    mul.3 r13, r13, r16
    sub.3 r16, r7, r16
    mul.3 r16, r16, 6.0
    add.3 r19, r10, 1.0
    hash.1 r7, r10, 3.0
    hash.1 r8, r19, 3.0
    hash.1 r22, r11, r7
    hash.1 r24, r20, r7
    hash.1 r26, r11, r8
    hash.1 r28, r20, r8
    hash.1 r23, r21, r22
    hash.1 r22, r12, r22
    hash.1 r25, r21, r24
    hash.1 r24, r12, r24
    hash.1 r27, r21, r26
    hash.1 r26, r12, r26
    hash.1 r29, r21, r28
    hash.1 r28, r12, r28
    sub.1 r23, r23, r22
    mad.1 r22, r23, r15, r22
    sub.1 r25, r25, r24
    mad.1 r24, r25, r15, r24
    sub.1 r27, r27, r26
    mad.1 r26, r27, r15, r26
    sub.1 r29, r29, r28
    mad.1 r28, r29, r15, r28
    sub.1 r24, r24, r22
    mad.1 r22, r24, r14, r22
    sub.1 r28, r28, r26
    mad.1 r26, r28, r14, r26
    sub.1 r7, r26, r22
    add.1 r8, r24, r28
    add.1 r9, r23, r29
    mul.1 r8, r8, 0.5
    mul.3 r7, r7, r16
    sub.3 r16, r7.yzx, r7.zxy
    mul.3 r16, r16, r0.xxx
    mad.3 r4, r16, 2.0, r4
    mad.3 r7, r1, 2.1, 5.75
    floor.3 r10, r7
    sub.3 r7, r7, r10
    mul.3 r16, r7, r7
    mul.3 r13, r7, -2.0
    add.3 r13, r13, 3.0
    mul.3 r13, r13, r16
    sub.3 r16, r7, r16
    mul.3 r16, r16, 6.0
    add.3 r19, r10, 1.0
    hash.1 r7, r10, 5.0
    hash.1 r8, r19, 5.0
    hash.1 r22, r11, r7
    hash.1 r24, r20, r7
    hash.1 r26, r11, r8
    hash.1 r28, r20, r8
    hash.1 r23, r21, r22
    hash.1 r22, r12, r22
    hash.1 r25, r21, r24
    hash.1 r24, r12, r24
    hash.1 r27, r21, r26
    hash.1 r26, r12, r26
    hash.1 r29, r21, r28
    hash.1 r28, r12, r28
    sub.1 r23, r23, r22
    mad.1 r22, r23, r15, r22
    sub.1 r25, r25, r24
    mad.1 r24, r25, r15, r24
    sub.1 r27, r27, r26
    mad.1 r26, r27, r15, r26
    sub.1 r29, r29, r28
    mad.1 r28, r29, r15, r28
    sub.1 r24, r24, r22
    mad.1 r22, r24, r14, r22
    sub.1 r28, r28, r26
    mad.1 r26, r28, r14, r26
    sub.1 r7, r26, r22
    add.1 r8, r24, r28
    add.1 r9, r23, r29
    mul.3 r7, r7, r16
    sub.3 r16, r7.yzx, r7.zxy
    mad.3 r16, r4, -0.1, r16
    mul.3 r16, r16, r0.xxx
    mad.3 r4, r16, 0.5, r4
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
    load_field.1 r9, w11
    div.1 r10, r8, r9
    min.1 r10, r10, 1.0
    load_const.4 r16, c0
    load_const.4 r12, c1
    mad.4 r16, r10.xxxx, r12, r16
    load_const.4 r12, c2
    sub.4 r12, r12, r16
    mul.1 r11, r10, r10
    mad.4 r16, r12, r11.xxxx, r16
    store_field.4 w12, r16
    sub.1 r11, 1.0, r10
    mul.1 r11, r11, r10
    mul.1 r11, r11, 0.4
    store_field.1 w16, r11
    cmp_le.1 r9, 2.0, r8
    kill.1 r9
