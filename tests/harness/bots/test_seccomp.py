import errno
import struct

import pytest
from tongits_harness.bots.seccomp import build_filter, is_supported

ALLOW = 0x7FFF0000
KILL = 0x80000000
ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


def judge(program, arch, number, arguments=(0, 0)):
    """What the kernel would return: runs the filter over one call."""
    call = struct.pack("=IIQQQ", number, arch, 0, *arguments)
    steps = list(struct.iter_unpack("=HBBI", program))
    at, loaded = 0, 0
    while True:
        code, if_true, if_false, value = steps[at]
        at += 1
        match code:
            case 0x20:
                (loaded,) = struct.unpack_from("=I", call, value)
            case 0x15:
                at += if_true if loaded == value else if_false
            case 0x35:
                at += if_true if loaded >= value else if_false
            case 0x45:
                at += if_true if loaded & value else if_false
            case 0x06:
                return value


def denied(error):
    return 0x00050000 | error


@pytest.mark.parametrize(
    ("machine", "numbers"),
    [
        ("x86_64", {"ptrace": 101, "socket": 41, "clone": 56, "ioctl": 16, "read": 0}),
        ("aarch64", {"ptrace": 117, "socket": 198, "clone": 220, "ioctl": 29, "read": 63}),
    ],
)
def test_the_filter_refuses_by_number_and_argument(machine, numbers):
    program, arch = build_filter(machine), ARCH[machine]

    def verdict(name, *arguments):
        return judge(program, arch, numbers[name], arguments or (0, 0))

    assert verdict("read") == ALLOW
    assert verdict("ptrace") == denied(errno.EPERM)
    for family in (1, 2, 10):
        assert verdict("socket", family, 1) == ALLOW
    for family in (16, 17, 40):
        assert verdict("socket", family, 1) == denied(errno.EAFNOSUPPORT)
    assert verdict("clone", 0x003D0F00, 0) == ALLOW
    assert verdict("clone", 0x10000000, 0) == denied(errno.EPERM)
    assert verdict("ioctl", 1, 0x5401) == ALLOW
    assert verdict("ioctl", 1, 0x5412) == denied(errno.EPERM)
    assert verdict("ioctl", 1, 0x541C) == denied(errno.EPERM)
    assert judge(program, arch, 435) == denied(errno.ENOSYS)
    assert judge(program, 0x40000003, numbers["read"]) == KILL


def test_the_x32_calls_are_refused():
    assert judge(build_filter("x86_64"), ARCH["x86_64"], 0x40000000) == denied(errno.ENOSYS)


def test_other_machines_have_no_filter():
    assert not is_supported("riscv64")
