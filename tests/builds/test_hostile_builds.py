"""Builds that misbehave: each is ended or contained, told about, and leaves nothing behind."""

import json
import os
import secrets
import socket
from pathlib import Path

import pytest

pytestmark = pytest.mark.process


def alive_with(word: str) -> list[int]:
    """Pids of processes that have a word in their command line."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                if word.encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


async def test_a_failure_is_told_with_status_and_last_lines(yard, make_bot):
    refused = await yard.refusal(make_bot("echo to stdout; echo to stderr >&2; exit 3"))
    assert "build failed: sh exited with status 3" in str(refused)
    assert refused.details == ("to stdout", "to stderr")
    assert refused.report.steps[0].status == 3


async def test_what_it_prints_is_safe_to_show(yard, make_bot):
    refused = await yard.refusal(make_bot(r"printf '\033[31mred\n'; exit 1"))
    assert refused.details == (r"\x1b[31mred",)


async def test_a_build_that_hangs_is_ended(yard, make_bot):
    refused = await yard.with_limits(seconds=1.0).refusal(make_bot("exec sleep 1000"))
    assert "it took longer than 1 s" in str(refused)


async def test_a_build_that_prints_without_end_is_ended(yard, make_bot):
    refused = await yard.with_limits(output_mib=1).refusal(make_bot("exec yes"))
    assert "it printed more than 1 MiB" in str(refused)
    assert len(refused.details) <= 20


@pytest.mark.parametrize("level", ["contained", "full"])
async def test_daemons_end_with_the_build(make_yard, make_bot, request, level):
    yard, word = make_yard(request.getfixturevalue(level)), f"1000.{secrets.randbelow(10**9)}"
    await yard.build(make_bot(f"(setsid sleep {word} &) ; (trap '' TERM; setsid sleep {word} &)"))
    assert alive_with(word) == []


async def test_nothing_outside_can_be_written_or_read(yard, make_bot, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("hidden")
    secret.chmod(0o666)
    places = ["/x", "/usr/x", "/etc/x", "/opt/x", "/run/bot/x", "/dev/x", str(tmp_path / "x")]
    tries = ";".join(f"echo x >'{place}' && echo {place} >>wrote" for place in places)
    made = await yard.build(
        make_bot(
            f"{tries}; cat '{secret}' ~root/.bashrc /etc/shadow >read; ls '{tmp_path}' >>read; true"
        )
    )
    tree = made.bot.tree.path
    assert not (tree / "wrote").exists()
    assert (tree / "read").read_text() == ""
    assert not [place for place in places if os.path.exists(place)]  # noqa: ASYNC240


DIAL = """
import json, socket, sys
told = {}
for family, address in json.loads(sys.argv[1]):
    with socket.socket(getattr(socket, family)) as s:
        s.settimeout(5)
        try:
            s.connect(tuple(address))
            told[str(address)] = "CONNECTED"
        except OSError as error:
            told[str(address)] = type(error).__name__
json.dump(told, open("told", "w"))
"""


async def test_a_build_has_no_network(yard, make_bot):
    with socket.create_server(("127.0.0.1", 0)) as server:
        places = [["AF_INET", server.getsockname()], ["AF_INET", ("1.1.1.1", 80)]]
        build = ["python3", "-c", DIAL, json.dumps(places)]
        made = await yard.build(make_bot(language="python", build=build))
    told = json.loads((made.bot.tree.path / "told").read_text())
    assert set(told.values()) <= {"ConnectionRefusedError", "OSError", "TimeoutError"}


ASK = """
import json, os, sys, urllib.request
told = {}
for url in sys.argv[1:]:
    try:
        urllib.request.urlopen(url, timeout=20).read()
        told[url] = "FETCHED"
    except Exception as error:
        body = error.read().decode() if hasattr(error, "read") else ""
        told[url] = f"{error} {body}"
json.dump([told, os.environ["HTTPS_PROXY"]], open("told", "w"))
"""


async def test_a_fetch_reaches_neither_the_host_nor_private_networks(
    make_yard, contained, make_bot
):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        urls = [
            "http://127.0.0.1/", "http://localhost/", "http://[::1]/", "http://0.0.0.0/",
            "http://10.0.0.1/", "http://192.168.0.1/", "http://169.254.169.254/latest/",
            "http://[fd00::1]/", "http://[::ffff:127.0.0.1]/", "http://2130706433/",
            f"http://127.0.0.1:{port}/", f"http://93.184.216.34:{port}/",
        ]  # fmt: skip
        fetch = ["python3", "-c", ASK, *urls, "https://127.0.0.1/"]
        yard = make_yard(contained, allow_fetch=True)
        made = await yard.build(make_bot(language="python", fetch=fetch))
    told, proxy = json.loads((made.bot.tree.path / "told").read_text())
    assert proxy == "http://127.0.0.1:3128"
    assert told.keys() == {*urls, "https://127.0.0.1/"}
    for url, answer in told.items():
        assert "the proxy refused" in answer or "403" in answer, (url, answer)
    assert all("refused" in host for host in made.report.steps[0].hosts)
    assert made.report.steps[0].transferred_bytes == 0


async def test_a_fetch_can_go_round_the_proxy_no_more_than_a_build(make_yard, contained, make_bot):
    with socket.create_server(("127.0.0.1", 0)) as server:
        places = [["AF_INET", server.getsockname()], ["AF_INET", ("1.1.1.1", 443)]]
        fetch = ["python3", "-c", DIAL, json.dumps(places)]
        yard = make_yard(contained, allow_fetch=True)
        made = await yard.build(make_bot(language="python", fetch=fetch))
    told = json.loads((made.bot.tree.path / "told").read_text())
    assert set(told.values()) <= {"ConnectionRefusedError", "OSError"}


@pytest.mark.parametrize("place", [".", "$HOME"])
async def test_a_build_that_fills_the_disk_is_ended(yard, make_bot, place):
    more = 'i=0; while :; do head -c 4194304 /dev/zero >"{0}/f$i"; i=$((i+1)); done'
    refused = await yard.with_limits(disk_mib=16).refusal(make_bot(more.format(place)))
    assert "it wrote more than 16 MiB" in str(refused)


async def test_one_file_is_no_larger_than_its_limit(yard, make_bot):
    build = "head -c 8388608 /dev/zero >big; wc -c <big >size; true"
    refused = await yard.with_limits(file_mib=1).refusal(make_bot(build + "; test ! -s big"))
    assert "build failed" in str(refused)


async def test_more_files_than_allowed_are_refused(yard, make_bot):
    build = "i=0; while [ $i -lt 300 ]; do : >f$i; i=$((i+1)); done"
    refused = await yard.with_limits(files=100).refusal(make_bot(build))
    assert "it made more than 100 files" in str(refused)


async def test_folders_within_folders_without_end_are_refused_and_removed(yard, make_bot):
    build = ["python3", "-c", "import os\nfor _ in range(2000):\n os.mkdir('d'); os.chdir('d')"]
    refused = await yard.refusal(make_bot(language="python", build=build))
    assert "folders more than 100 deep" in str(refused)


async def test_a_tree_that_is_too_large_is_refused_with_the_cure(yard, make_bot):
    refused = await yard.with_limits(tree_mib=1).refusal(make_bot("head -c 2097152 /dev/zero >big"))
    assert "more than 1 MiB in the bot's folder; put what the bot does not need" in str(refused)


async def test_links_cannot_multiply_what_is_kept(yard, make_bot):
    doubling = (
        "mkdir a; head -c 65536 /dev/zero >a/f; p=a; for n in 1 2 3 4 5 6 7 8 9 10; do "
        "mkdir l$n; ln -s ../$p l$n/x; ln -s ../$p l$n/y; p=l$n; done"
    )
    refused = await yard.with_limits(tree_mib=16).refusal(make_bot(doubling))
    assert "more than 16 MiB" in str(refused)


async def test_memory_is_bounded(make_yard, full, make_bot):
    yard = make_yard(full).with_limits(memory_mib=64)
    build = ["python3", "-c", "x = bytearray(256 << 20)"]
    refused = await yard.refusal(make_bot(language="python", build=build))
    assert "it used more than 64 MiB of memory" in str(refused)


async def test_a_fork_bomb_stays_within_its_limit(yard, make_bot):
    limited = yard.with_limits(processes=32, seconds=10.0)
    build = "n=0; while [ $n -lt 200 ]; do sleep 5 & n=$((n+1)); done"
    refused = await limited.refusal(make_bot(build))
    assert "build failed" in str(refused)


async def test_a_build_cannot_reach_the_harness_by_its_links(yard, make_bot, tmp_path):
    """A folder it may write to is replaced by a link: nothing is read or written through it."""
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "f").write_text("hidden")
    made = await yard.build(make_bot(f"mkdir d; rmdir d; ln -s '{secret}' d; ln -s d/f e"))
    assert set(made.report.dropped) == {"d", "e"}
    assert (secret / "f").read_text() == "hidden"
