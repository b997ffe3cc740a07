/* The bot greedy in C99, for the stdio bridge: one line of JSON in, one action out.
 *
 * It puts down what it can as soon as it can, and throws away its highest loose card. It looks at
 * its own cards only: it never calls Draw, and it contests a call when its hand is light.
 *
 * The bridge writes every line in the same way, so a value is found by the text of its key, and no
 * JSON library is needed. A card is a number, 4 * rank + suit, and a hand is a set of 52 bits.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t Cards;

enum { CHALLENGE_AT = 30, NO_CARD = -1 };

static void fail(const char *what, const char *line)
{
    fprintf(stderr, "greedy: %s: %.200s\n", what, line);
    exit(1);
}

/* ---- cards ---- */

static int points_of(int card)
{
    return card / 4 < 10 ? card / 4 + 1 : 10;
}

static int lowest_of(Cards held)
{
    int card = 0;
    while (!(held >> card & 1))
        card++;
    return card;
}

static int points_in(Cards held)
{
    int sum = 0;
    for (; held; held &= held - 1)
        sum += points_of(lowest_of(held));
    return sum;
}

/* The card whose text begins here, or NO_CARD. */
static int card_at(const char *text)
{
    static const char ranks[] = "A23456789TJQK", suits[] = "CDHS";
    const char *rank = *text ? strchr(ranks, text[0]) : NULL;
    const char *suit = rank && text[1] ? strchr(suits, text[1]) : NULL;
    return suit ? (int)(4 * (rank - ranks) + (suit - suits)) : NO_CARD;
}

/* All cards of a text, which ends with a quote or the string: "layoff 7H 0" holds one. */
static Cards cards_in(const char *text)
{
    Cards found = 0;
    for (; *text && *text != '"'; text++)
        if (card_at(text) != NO_CARD)
            found |= (Cards)1 << card_at(text);
    return found;
}

/* ---- the least deadwood ---- */

static int deadwood(Cards held, int runs);

/* The smaller of `least` and what is left once this meld is put aside. */
static int with_meld(Cards held, Cards meld, int runs, int least)
{
    int left = deadwood(held & ~meld, runs);
    return left < least ? left : least;
}

/* The least points that can be left: the lowest card is loose, or it is the lowest of a meld. */
static int deadwood(Cards held, int runs)
{
    int lowest, least, card;
    Cards own, same, others, run;
    if (!held)
        return 0;
    lowest = lowest_of(held);
    own = run = (Cards)1 << lowest;
    least = points_of(lowest) + deadwood(held & ~own, runs);
    same = held & ~own & (Cards)15 << (lowest & ~3);
    for (others = same; others; others = (others - 1) & same) /* every subset */
        if (others & (others - 1))                             /* of two or three cards */
            least = with_meld(held, own | others, runs, least);
    for (card = lowest + 4; runs && card < 52 && held >> card & 1; card += 4) {
        run |= (Cards)1 << card;
        if (card >= lowest + 8)
            least = with_meld(held, run, runs, least);
    }
    return least;
}

/* ---- the choice ---- */

static int is_kind(const char *action, const char *kind)
{
    return strncmp(action, kind, strlen(kind)) == 0;
}

/* How much greedy likes an action; of equal ones it takes the first. */
static int worth_of(const char *action, Cards hand, int runs)
{
    static const char *const put_down[] = {"layoff", "expose", "conceal", "take"};
    int kind;
    for (kind = 0; kind < 4; kind++)
        if (is_kind(action, put_down[kind]))
            return 6000 + 1000 * kind + points_in(cards_in(action));
    if (is_kind(action, "discard"))
        return 5000 - deadwood(hand & ~cards_in(action), runs);
    if (is_kind(action, "challenge"))
        return deadwood(hand, runs) <= CHALLENGE_AT ? 4000 : 2000;
    if (is_kind(action, "fold"))
        return 3000;
    return is_kind(action, "draw") ? 1000 : 0;
}

/* Cuts the next text out of a list and moves on behind it; NULL at the end of the list. */
static const char *next_text(char **at)
{
    char *text;
    *at += strspn(*at, ", ");
    if (**at != '"')
        return NULL;
    text = *at + 1;
    *at = text + strcspn(text, "\"");
    if (**at)
        *(*at)++ = '\0';
    return text;
}

/* What follows a key. */
static char *value_of(char *line, const char *key)
{
    char *found = strstr(line, key);
    if (!found)
        fail("this line of the bridge lacks a key", line);
    return found + strlen(key);
}

static const char *decide(char *line)
{
    Cards hand = cards_in(value_of(line, "\"hand\": \""));
    int runs = *value_of(line, "\"runs\": ") == 't';
    char *list = value_of(line, "\"legal\": [");
    const char *action, *best = NULL;
    int worth, most = -1;
    while ((action = next_text(&list)) != NULL)
        if ((worth = worth_of(action, hand, runs)) > most) {
            most = worth;
            best = action;
        }
    return best;
}

/* The next line, however long, in a buffer that is used again; NULL at the end of the input. */
static char *read_line(void)
{
    static char *line;
    static size_t size;
    size_t length = 0;
    while (length == 0 || line[length - 1] != '\n') {
        if (size - length < 4096 && (line = realloc(line, size += 16384)) == NULL)
            fail("out of memory", "");
        if (!fgets(line + length, (int)(size - length), stdin))
            return NULL;
        length += strlen(line + length);
    }
    return line;
}

int main(void)
{
    char *line;
    while ((line = read_line()) != NULL) {
        const char *action = decide(line);
        if (!action)
            fail("no legal action in this line", line);
        puts(action);
        fflush(stdout); /* or the bridge would wait for ever */
    }
    return 0;
}
