# The bot greedy in awk, for the stdio bridge: one line of JSON in, one action out.
#
# It puts down what it can as soon as it can, and throws away its highest loose card. It looks at
# its own cards only: it never calls Draw, and it contests a call when its hand is light.
#
# A line of the bridge is cut at its quotes, so that every key and text is a field of its own.
# A card is a number, 4 * rank + suit. held[card] is 1 for the cards in question.

BEGIN {
    FS = "\""
    CHALLENGE_AT = 30
    for (card = 0; card < 52; card++) {
        rank = int(card / 4)
        number_of[substr("A23456789TJQK", rank + 1, 1) substr("CDHS", card % 4 + 1, 1)] = card
        points[card] = rank < 10 ? rank + 1 : 10
    }
    worth_of_kind["take"] = 9000
    worth_of_kind["conceal"] = 8000
    worth_of_kind["expose"] = 7000
    worth_of_kind["layoff"] = 6000
}

{
    for (field = 1; $field != "legal"; field++) {
        if (field > NF) {
            print "greedy: no \"legal\" in this line: " $0 > "/dev/stderr"
            exit 1
        }
        if ($field == "runs") runs = $(field + 1) ~ /true/
        if ($field == "hand") read_hand($(field + 2))
    }
    print best_of(field + 2)
    fflush() # or the bridge would wait for ever
}

# The action of most worth, of equal ones the first, of the list whose first text is field `at`.
function best_of(at,    best, most, worth) {
    most = -1
    for (; ; at += 2) {
        worth = worth_of($at)
        if (worth > most) {
            most = worth
            best = $at
        }
        if ($(at + 1) ~ /]/) return best
    }
}

# How much greedy likes an action.
function worth_of(action,    words, count, sum, i) {
    sum = 0
    count = split(action, words, " ")
    if (words[1] in worth_of_kind) {
        for (i = 2; i <= count; i++) # the number of a meld is no card
            if (words[i] in number_of) sum += points[number_of[words[i]]]
        return worth_of_kind[words[1]] + sum
    }
    if (words[1] == "discard") return 5000 - deadwood_without(number_of[words[2]])
    if (words[1] == "challenge") return deadwood(1) <= CHALLENGE_AT ? 4000 : 2000
    if (words[1] == "fold") return 3000
    return words[1] == "draw" ? 1000 : 0
}

# Fills hand[1..size], which is in card order, and held.
function read_hand(text,    words, i) {
    split("", held)
    size = split(text, words, " ")
    for (i = 1; i <= size; i++) {
        hand[i] = number_of[words[i]]
        held[hand[i]] = 1
    }
}

function deadwood_without(card,    left) {
    held[card] = 0
    left = deadwood(1)
    held[card] = 1
    return left
}

# The least points that can be left of hand[i..size], as far as it is held, when melds are taken
# out: the lowest card is loose, or it is the lowest of a meld.
function deadwood(i,    lowest, end, least, x, y, z) {
    while (i <= size && !held[hand[i]]) i++
    if (i > size) return 0
    lowest = hand[i++]
    held[lowest] = 0
    least = points[lowest] + deadwood(i)
    end = lowest - lowest % 4 + 4
    for (x = lowest + 1; x < end; x++) if (held[x]) {
        held[x] = 0
        for (y = x + 1; y < end; y++) if (held[y]) {
            held[y] = 0
            least = smaller(least, deadwood(i))
            for (z = y + 1; z < end; z++) if (held[z]) {
                held[z] = 0
                least = smaller(least, deadwood(i))
                held[z] = 1
            }
            held[y] = 1
        }
        held[x] = 1
    }
    for (x = lowest + 4; runs && x in held && held[x]; x += 4) {
        held[x] = 0
        if (x >= lowest + 8) least = smaller(least, deadwood(i))
    }
    for (x -= 4; x > lowest; x -= 4) held[x] = 1
    held[lowest] = 1
    return least
}

function smaller(a, b) {
    return a < b ? a : b
}
