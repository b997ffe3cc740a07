#!/usr/bin/perl
# The bot greedy in Perl, for the stdio bridge: one line of JSON in, one action out.
#
# It puts down what it can as soon as it can, and throws away its highest loose card. It looks at
# its own cards only: it never calls Draw, and it contests a call when its hand is light.
#
# JSON::PP, which comes with Perl, could read the line, in most of a millisecond. Three patterns do it
# in no time: the bridge writes every line in the same way.
use strict;
use warnings;

use List::Util qw(min sum0);

my $CHALLENGE_AT = 30;
my %WORTH_OF_KIND = (take => 9000, conceal => 8000, expose => 7000, layoff => 6000);
my @RANKS = split //, 'A23456789TJQK';
my @SUITS = split //, 'CDHS';

# A card is a number, 4 * rank + suit.
my (%CARD, @POINTS);
for my $rank (0 .. 12) {
    for my $suit (0 .. 3) {
        my $card = 4 * $rank + $suit;
        $CARD{"$RANKS[$rank]$SUITS[$suit]"} = $card;
        $POINTS[$card] = min($rank + 1, 10);
    }
}

# The cards among the words of a text.
sub cards_in {
    my ($text) = @_;
    return grep { defined } @CARD{ split ' ', $text };
}

# The least points that can be left of these cards, in card order, when melds are taken out.
sub deadwood {
    my ($runs, @cards) = @_;
    my %held = map { $_ => 1 } @cards;
    return _least($runs, \%held, @cards);
}

# The same for those of @cards that are still held: the lowest is loose, or the lowest of a meld.
sub _least {
    my ($runs, $held, @cards) = @_;
    shift @cards while @cards && !$held->{ $cards[0] };
    return 0 if !@cards;
    my $lowest = shift @cards;
    my $least = $POINTS[$lowest] + _least($runs, $held, @cards);
    for my $meld (_melds_from($lowest, $runs, $held)) {
        local @$held{@$meld} = (0) x @$meld;
        $least = min($least, _least($runs, $held, @cards));
    }
    return $least;
}

# The melds whose lowest card this is.
sub _melds_from {
    my ($lowest, $runs, $held) = @_;
    my @same = grep { $held->{$_} } $lowest + 1 .. $lowest | 3;
    my @melds;
    if (@same >= 2) {
        push @melds, [$lowest, @same];
        push @melds, map { my $out = $_; [$lowest, grep { $_ != $out } @same] } @same if @same == 3;
    }
    my @run = ($lowest);
    while ($runs && $held->{ $run[-1] + 4 }) {
        push @run, $run[-1] + 4;
        push @melds, [@run] if @run >= 3;
    }
    return @melds;
}

# How much greedy likes an action; of equal ones it takes the first.
sub worth_of {
    my ($action, $runs, @hand) = @_;
    my ($kind) = split ' ', $action;
    my @cards = cards_in($action);
    return $WORTH_OF_KIND{$kind} + sum0(@POINTS[@cards]) if $WORTH_OF_KIND{$kind};
    return 5000 - deadwood($runs, grep { $_ != $cards[0] } @hand) if $kind eq 'discard';
    return deadwood($runs, @hand) <= $CHALLENGE_AT ? 4000 : 2000 if $kind eq 'challenge';
    return $kind eq 'fold' ? 3000 : $kind eq 'draw' ? 1000 : 0;
}

sub decide {
    my ($line) = @_;
    my ($runs) = $line =~ /"runs": (true|false)/ or die "no \"runs\" in this line: $line";
    my ($hand) = $line =~ /"hand": "([^"]*)"/ or die "no \"hand\" in this line: $line";
    my ($legal) = $line =~ /"legal": \[([^\]]*)\]/ or die "no \"legal\" in this line: $line";
    my @hand = cards_in($hand);
    my ($best, $most) = ('', -1);
    for my $action ($legal =~ /"([^"]*)"/g) {
        my $worth = worth_of($action, $runs eq 'true', @hand);
        ($best, $most) = ($action, $worth) if $worth > $most;
    }
    return $best;
}

$| = 1;    # every answer goes out at once, or the bridge would wait for ever
while (my $line = <STDIN>) {
    print decide($line), "\n";
}
