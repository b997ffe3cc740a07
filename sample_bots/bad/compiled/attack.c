/* Makes system calls without a runtime in the way, also by the old and the 32-bit entry, then becomes
 * the program of its arguments, which finds the outcome in ATTEMPTS. With BOMB as its first argument
 * it takes memory until it is stopped. Build: cc -O1 -o attack attack.c. Expected: no fault; BOMB:
 * NO_HANDSHAKE, for it comes before Hello. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char told[4000];

static long forked(long result)
{
    if (result == 0) /* a child that should not have been: the parent tells of it */
        _exit(0);
    return result;
}

static void tell(const char *name, long result)
{
    size_t at = strlen(told);
    snprintf(told + at, sizeof told - at, "%s\"%s\": \"%s\"", at > 1 ? ", " : "", name,
             result == -1 ? strerrorname_np(errno) : "DONE");
}

#if defined(__x86_64__)
/* A filter may end the process for this, so a child does it. */
static const char *by_interrupt(long number)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        long result;
        __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(0), "c"(0), "d"(0) : "memory");
        _exit(result > 0 ? 0 : 1);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        return "?";
    return WIFSIGNALED(status) ? sigabbrev_np(WTERMSIG(status)) : WEXITSTATUS(status) ? "ERROR" : "DONE";
}
#endif

static int bomb(void)
{
    const size_t size = 4u << 20;
    for (int taken = 0; taken < 200; taken++) {
        void *area = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (area == MAP_FAILED) {
            perror("no more memory");
            return 3;
        }
        memset(area, 1, size);
    }
    return 4;
}

int main(int count, char **words)
{
    struct { unsigned long flags, fields[10]; } arguments = {CLONE_NEWUSER, {0}};
    if (count > 1 && strcmp(words[1], "BOMB") == 0)
        return bomb();
    strcpy(told, "{");
    tell("clone3 newuser", forked(syscall(SYS_clone3, &arguments, sizeof arguments)));
    tell("clone newuser", forked(syscall(SYS_clone, CLONE_NEWUSER | 17, 0, 0, 0, 0)));
    tell("io_uring_setup", syscall(SYS_io_uring_setup, 1, &arguments));
    tell("memfd_create", syscall(SYS_memfd_create, "x", 0));
    tell("userfaultfd", syscall(SYS_userfaultfd, 0));
    tell("perf_event_open", syscall(SYS_perf_event_open, &arguments, 0, -1, -1, 0));
    tell("keyctl", syscall(SYS_keyctl, 0, -3, 1));
    tell("vsock", socket(AF_VSOCK, SOCK_STREAM, 0));
    tell("alg", socket(38, SOCK_SEQPACKET, 0));
    tell("kexec", syscall(SYS_kexec_load, 0, 0, 0, 0));
#if defined(__x86_64__)
    tell("x32 keyctl", syscall(0x40000000L | SYS_keyctl, 0, -3, 1));
    tell("x32 getpid", syscall(0x40000000L | SYS_getpid));
    size_t at = strlen(told);
    snprintf(told + at, sizeof told - at, ", \"int80 getpid\": \"%s\"", by_interrupt(20));
#endif
    strcat(told, "}");
    setenv("ATTEMPTS", told, 1);
    if (count > 1)
        execvp(words[1], words + 1);
    perror("attack");
    return 2;
}
