# Holds a listening socket for a program as systemd does, and starts the program whenever it ends.
# Arguments: port of 127.0.0.1, program, its arguments. SIGTERM ends the program and then this.

use strict;
use warnings;
use POSIX ();
use Socket;

$^F = 255;    # Up to here descriptors stay open in the program.
my ($port, @program) = @ARGV;
my $caller = getppid;
my ($child, $ending) = (0, 0);

socket(my $socket, PF_INET, SOCK_STREAM, 0) or die "socket: $!";
setsockopt($socket, SOL_SOCKET, SO_REUSEADDR, 1) or die "setsockopt: $!";
bind($socket, sockaddr_in($port, INADDR_LOOPBACK)) or die "bind: $!";
listen($socket, SOMAXCONN) or die "listen: $!";
POSIX::dup2(fileno($socket), 3) // die "dup2: $!";

sub end { $ending = 1; kill TERM => $child if $child }
$SIG{TERM} = \&end;
# Whoever started this may be killed, and then nobody would end it.
$SIG{ALRM} = sub { getppid == $caller ? alarm 1 : end() };
alarm 1;

for my $start (1 .. 100) {
    last if $ending;
    $child = 0;
    my $pid = fork // die "fork: $!";
    if ($pid == 0) {
        $SIG{$_} = 'DEFAULT' for qw(TERM ALRM);
        @ENV{qw(LISTEN_PID LISTEN_FDS)} = ($$, 1);
        exec @program or POSIX::_exit(127);
    }
    $child = $pid;
    end() if $ending;
    1 while waitpid($pid, 0) == -1 && $!{EINTR};
    my $status = $? & 127 ? 'null' : $? >> 8;
    syswrite STDOUT, qq({"ended":$pid,"status":$status}\n);
}
