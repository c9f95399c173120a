/* Random games of Fossil in plain C: the machine's limit, as far as a plain program reaches it.
 *
 * A third telling of docs/games/fossil.md, whose paragraphs are cited, for the component sheet of the package. It
 * plays exactly the games of `bonebed.random_games("fossil", ...)`: game g is seeded with draw g of the stream
 * EPISODE, tiles are laid out by the same draws, and decision p takes the legal action numbered by draw p of the
 * stream PLAY. benchmarks/native.py compiles and loads it, and a test compares the results.
 *
 * What makes it fast: each line of the board is a bit mask, so that what a stone can take in a direction is one AND;
 * and what the seats hold is kept as one mask of kinds each, so that exchanges are found without searching.
 */
#include <stdint.h>
#include <string.h>

enum {
    WIDTH = 9, CELLS = WIDTH * WIDTH, SMALL_WIDTH = 7,
    SEATS = 6, STONES = 2, FOSSILS = 9, VALUES = 3, KINDS = FOSSILS * VALUES, /* kind = fossil * VALUES + value - 1 */
    COPIES = 9, START_SCORE = 30,
    DIRECTIONS = 4, RAYS = STONES * DIRECTIONS, TILES = 8, /* most tiles on a ray */
    EMPTY = KINDS, NONE = -1
};
enum { PLACE = 0, MOVE = PLACE + CELLS, KEEP = MOVE + RAYS * TILES, GIVE = KEEP + 1, TAKE = GIVE + KINDS,
       N_ACTIONS = TAKE + (SEATS - 1) * FOSSILS };
enum { UP, RIGHT, DOWN, LEFT };
enum { PLACING, MOVING, GIVING, TAKING, OVER, PHASES };
enum { STREAM_FOSSILS = 0, STREAM_LAYOUT = 1, STREAM_EPISODE = 1000, STREAM_PLAY = 1001 };
enum { VALUE_1 = 0111111111 }; /* the kinds of value 1: every third bit */

static const uint8_t COPIES_OF_VALUE[VALUES] = {6, 2, 1};

typedef struct {
    uint16_t line[2][WIDTH];  /* [0][c] column c, bit r; [1][r] row r, bit c: a tile lies there */
    uint16_t ray[RAYS];       /* the part of the line that a stone reaches: UP, RIGHT, DOWN, LEFT for each stone */
    int8_t stone[STONES][2];  /* row, column */
    int8_t kind[CELLS];       /* EMPTY: no tile */
    uint8_t left[FOSSILS];    /* tiles on the board */
    uint8_t held[SEATS][KINDS], count[SEATS][FOSSILS], sum[SEATS][FOSSILS];
    uint32_t kinds[SEATS];    /* bit k: the seat holds a tile of kind k */
    int32_t score[SEATS];
    int players, to_play, phase, tactical, placed, given, completed, decisions;
} Game;

typedef struct {
    float phase[PHASES], turn[SEATS], seat[SEATS], score[SEATS], purse[SEATS];
    float held[SEATS][KINDS], product[SEATS][FOSSILS], left[FOSSILS];
    float tile[FOSSILS][CELLS], stone[STONES][CELLS], reach[RAYS][TILES][5];
    float given[KINDS], completed[FOSSILS], tactical;
} Observation;

/* --- chance ------------------------------------------------------------------------------------------------------ */

static inline uint64_t output(uint64_t start, uint64_t k) /* of SplitMix64 */
{
    uint64_t x = start + (k + 1) * 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

static inline uint32_t below(uint64_t stream, uint64_t k, uint32_t n) /* Lemire, on the upper 32 bits */
{
    uint64_t x = output(stream, k), product = (x >> 32) * n;
    if ((uint32_t)product < n) {
        uint32_t unfair = -n % n;
        while ((uint32_t)product < unfair) {
            x = output(x, 0);
            product = (x >> 32) * n;
        }
    }
    return product >> 32;
}

/* --- tables ------------------------------------------------------------------------------------------------------ */

/* [0] lower, [1] higher than i on a line, as far as a stone at `other` (WIDTH: not on this line) lets through */
static uint16_t OPEN[2][WIDTH][WIDTH + 1];
static uint8_t NTH[2][1 << WIDTH][TILES]; /* [0] n-th highest, [1] n-th lowest bit */

static uint8_t FOSSIL_OF_KIND[KINDS + 1]; /* the last entry, also 0: no tile */
static float VALUE_OF_KIND[KINDS + 1], COPIES_OF_KIND[KINDS], NINTHS[COPIES + 1]; /* as observed */

static void make_tables(void)
{
    for (int i = 0; i < WIDTH; i++)
        for (int other = 0; other <= WIDTH; other++) {
            OPEN[0][i][other] = OPEN[1][i][other] = 0;
            for (int j = i - 1; j >= 0 && j != other; j--)
                OPEN[0][i][other] |= 1 << j;
            for (int j = i + 1; j < WIDTH && j != other; j++)
                OPEN[1][i][other] |= 1 << j;
        }
    for (int mask = 0; mask < 1 << WIDTH; mask++)
        for (int i = 0, n = 0; i < WIDTH; i++)
            if (mask >> i & 1) {
                int rest = __builtin_popcount(mask) - 1 - n;
                if (n < TILES)
                    NTH[1][mask][n] = i;
                if (rest < TILES)
                    NTH[0][mask][rest] = i;
                n++;
            }
    for (int k = 0; k < KINDS; k++) {
        FOSSIL_OF_KIND[k] = k / VALUES;
        VALUE_OF_KIND[k] = (k % VALUES + 1) / (float)VALUES;
        COPIES_OF_KIND[k] = COPIES_OF_VALUE[k % VALUES];
    }
    for (int n = 0; n <= COPIES; n++)
        NINTHS[n] = n / (float)COPIES;
}

/* --- set-up ------------------------------------------------------------------------------------------------------ */

static int fill_bag(int8_t *bag, uint64_t seed, int small) /* 1.2, 1.3 */
{
    uint64_t stream = output(seed, STREAM_FOSSILS);
    int n = 0, drawn = 0, wanted = small ? FOSSILS - 2 : FOSSILS;
    for (int f = 0; f < FOSSILS; f++) {
        int rest = FOSSILS - f;
        if (wanted < rest && (int)below(stream, drawn++, rest) >= wanted)
            continue;
        wanted--;
        for (int v = 0; v < VALUES - small; v++)
            for (int i = 0; i < COPIES_OF_VALUE[v]; i++)
                bag[n++] = f * VALUES + v;
    }
    return n;
}

static void set_up(Game *g, uint64_t seed, int players, int small, int tactical)
{
    int8_t bag[CELLS];
    int n = fill_bag(bag, seed, small), width = small ? SMALL_WIDTH : WIDTH;
    uint64_t stream = output(seed, STREAM_LAYOUT);
    memset(g, 0, sizeof *g);
    memset(g->kind, EMPTY, sizeof g->kind);
    for (int i = 0; i < width * width; i++) { /* 2.1 */
        int j = i + below(stream, i, n - i);
        int8_t kind = bag[j];
        bag[j] = bag[i];
        g->kind[i / width * WIDTH + i % width] = kind;
        g->left[kind / VALUES]++;
    }
    for (int i = 0; i < width; i++)
        g->line[0][i] = g->line[1][i] = (1 << width) - 1;
    for (int p = 0; p < players; p++)
        g->score[p] = START_SCORE; /* 2.2 */
    g->players = players;
    g->tactical = tactical;
    g->to_play = players - 1; /* 2.3 */
    g->given = g->completed = NONE;
}

/* --- legal actions ----------------------------------------------------------------------------------------------- */

static void find_rays(Game *g) /* 3.1 to 3.3 */
{
    for (int s = 0; s < STONES; s++) {
        const int8_t *me = g->stone[s], *other = g->stone[1 - s];
        int row = me[0], column = me[1];
        int in_row = other[0] == row ? other[1] : WIDTH, in_column = other[1] == column ? other[0] : WIDTH;
        uint16_t *ray = &g->ray[s * DIRECTIONS];
        ray[UP] = g->line[0][column] & OPEN[0][row][in_column];
        ray[RIGHT] = g->line[1][row] & OPEN[1][column][in_row];
        ray[DOWN] = g->line[0][column] & OPEN[1][row][in_column];
        ray[LEFT] = g->line[1][row] & OPEN[0][column][in_row];
    }
}

static int list_moves(const Game *g, int32_t *actions) /* 3.4, 3.5: the k-th tile costs k points */
{
    int n = 0, purse = g->score[g->to_play];
    for (int ray = 0; ray < RAYS; ray++) {
        int reach = __builtin_popcount(g->ray[ray]);
        for (int k = 0; k < TILES; k++) /* all of them: a constant count is one vector store */
            actions[n + k] = MOVE + ray * TILES + k;
        n += reach < purse ? reach : purse;
    }
    return n;
}

static int list_places(const Game *g, int32_t *actions) /* 2.3 */
{
    int n = 0, taken = g->placed ? g->stone[0][0] * WIDTH + g->stone[0][1] : NONE;
    for (int cell = 0; cell < CELLS; cell++) {
        actions[n] = PLACE + cell;
        n += g->kind[cell] != EMPTY && cell != taken;
    }
    return n;
}

static uint32_t kinds_to_give(const Game *g) /* 4.2, 4.3 */
{
    uint32_t others = 0, good = 0;
    for (int p = 0; p < g->players; p++)
        others |= p == g->to_play ? 0 : g->kinds[p];
    for (int v = 0; v < VALUES; v++) {
        uint32_t same = others & VALUE_1 << v;
        if (same)
            good |= VALUE_1 << v & (same & (same - 1) ? ~0u : ~same);
    }
    return g->kinds[g->to_play] & good;
}

static int list_gives(const Game *g, int32_t *actions)
{
    int n = 0;
    actions[n++] = KEEP;
    for (uint32_t rest = kinds_to_give(g); rest; rest &= rest - 1)
        actions[n++] = GIVE + __builtin_ctz(rest);
    return n;
}

static int list_takes(const Game *g, int32_t *actions)
{
    int n = 0;
    uint32_t good = VALUE_1 << g->given % VALUES & ~(1u << g->given);
    for (int o = 0, p = g->to_play; o < g->players - 1; o++) {
        p = p + 1 < g->players ? p + 1 : 0;
        for (uint32_t rest = g->kinds[p] & good; rest; rest &= rest - 1)
            actions[n++] = TAKE + o * FOSSILS + __builtin_ctz(rest) / VALUES;
    }
    return n;
}

static int list_actions(const Game *g, int32_t *actions) /* ascending; 0 only at the end */
{
    switch (g->phase) {
    case MOVING: return list_moves(g, actions);
    case PLACING: return list_places(g, actions);
    case GIVING: return list_gives(g, actions);
    case TAKING: return list_takes(g, actions);
    default: return 0;
    }
}

/* --- play -------------------------------------------------------------------------------------------------------- */

static inline void gain_tile(Game *g, int p, int kind)
{
    int f = kind / VALUES;
    g->held[p][kind]++;
    g->count[p][f]++;
    g->sum[p][f] += kind - f * VALUES + 1;
    g->kinds[p] |= 1u << kind;
}

static inline void lose_tile(Game *g, int p, int kind)
{
    int f = kind / VALUES;
    if (--g->held[p][kind] == 0)
        g->kinds[p] &= ~(1u << kind);
    g->count[p][f]--;
    g->sum[p][f] -= kind - f * VALUES + 1;
}

static void score_fossil(Game *g, int f) /* 5.1 to 5.7, 6.1 */
{
    int product[SEATS], best = 0, n_best = 0, tiles = 0, owed = 0;
    for (int p = 0; p < g->players; p++) {
        product[p] = g->count[p][f] * g->sum[p][f];
        if (product[p] > best) {
            best = product[p];
            n_best = 0;
            tiles = g->count[p][f];
        }
        n_best += product[p] == best;
    }
    if (best == 0)
        return;
    for (int p = 0; p < g->players; p++)
        owed += product[p] == 0 ? tiles : 0;
    for (int p = 0; p < g->players; p++) {
        if (product[p] == 0)
            g->score[p] = g->score[p] > tiles ? g->score[p] - tiles : 0;
        else if (product[p] == best)
            g->score[p] += best + owed / n_best;
        else
            g->score[p] += g->tactical ? g->sum[p][f] : product[p];
        memset(&g->held[p][f * VALUES], 0, VALUES);
        g->count[p][f] = g->sum[p][f] = 0;
        g->kinds[p] &= ~(7u << f * VALUES);
    }
}

static void end_turn(Game *g) /* 3.6, 3.9, 7.1, 7.2 */
{
    unsigned reached = 0;
    for (int ray = 0; ray < RAYS; ray++)
        reached |= g->ray[ray];
    g->phase = MOVING;
    if (reached)
        for (int i = 0, p = g->to_play; i < g->players; i++) {
            p = p + 1 < g->players ? p + 1 : 0;
            if (g->score[p] > 0) { /* the nearest tile costs 1 */
                g->to_play = p;
                return;
            }
        }
    for (int f = 0; f < FOSSILS; f++)
        if (g->left[f] > 0)
            score_fossil(g, f);
    g->phase = OVER;
}

static void end_exchange(Game *g) /* 3.8 */
{
    score_fossil(g, g->completed);
    g->given = g->completed = NONE;
    end_turn(g);
}

static void place_stone(Game *g, int cell) /* 2.3 */
{
    g->stone[g->placed][0] = cell / WIDTH;
    g->stone[g->placed][1] = cell % WIDTH;
    if (++g->placed == STONES) {
        find_rays(g);
        end_turn(g);
    }
}

static void move_stone(Game *g, int move) /* 3.1 to 3.8 */
{
    int ray = move / TILES, passed = move % TILES, direction = ray % DIRECTIONS;
    int8_t *stone = g->stone[ray / DIRECTIONS];
    int ascending = direction == RIGHT || direction == DOWN;
    stone[direction % 2] = NTH[ascending][g->ray[ray]][passed]; /* UP and DOWN change the row */
    int row = stone[0], column = stone[1], cell = row * WIDTH + column;
    int kind = g->kind[cell], f = kind / VALUES;
    g->line[0][column] &= ~(1 << row);
    g->line[1][row] &= ~(1 << column);
    g->kind[cell] = EMPTY;
    find_rays(g);
    g->score[g->to_play] -= passed + 1;
    gain_tile(g, g->to_play, kind);
    if (--g->left[f] > 0) {
        end_turn(g);
        return;
    }
    g->completed = f;
    if (kinds_to_give(g))
        g->phase = GIVING;
    else
        end_exchange(g); /* 4.4 */
}

static void swap_tiles(Game *g, int choice) /* 4.1, 4.2 */
{
    int p = g->to_play, other = (p + 1 + choice / FOSSILS) % g->players;
    int taken = choice % FOSSILS * VALUES + g->given % VALUES;
    lose_tile(g, p, g->given);
    gain_tile(g, p, taken);
    lose_tile(g, other, taken);
    gain_tile(g, other, g->given);
}

static void act(Game *g, int action)
{
    if (action < MOVE) {
        place_stone(g, action - PLACE);
    } else if (action < KEEP) {
        move_stone(g, action - MOVE);
    } else if (action == KEEP) {
        end_exchange(g);
    } else if (action < TAKE) {
        g->given = action - GIVE;
        g->phase = TAKING;
    } else {
        swap_tiles(g, action - TAKE);
        end_exchange(g);
    }
}

/* --- observation ------------------------------------------------------------------------------------------------- */

static void observe_rays(const Game *g, int player, Observation *o)
{
    float known[FOSSILS][3]; /* own tiles, most of another's, left on the board */
    for (int f = 0; f < FOSSILS; f++) {
        int most = 0;
        for (int p = 0; p < g->players; p++) {
            int count = p == player ? 0 : g->count[p][f];
            most = count > most ? count : most;
        }
        known[f][0] = NINTHS[g->count[player][f]];
        known[f][1] = NINTHS[most];
        known[f][2] = NINTHS[g->left[f]];
    }
    for (int ray = 0; ray < RAYS; ray++) {
        int direction = ray % DIRECTIONS, reach = __builtin_popcount(g->ray[ray]);
        const uint8_t *nth = NTH[direction == RIGHT || direction == DOWN][g->ray[ray]];
        const int8_t *stone = g->stone[ray / DIRECTIONS];
        int across = direction % 2, start = across ? stone[0] * WIDTH : stone[1], stride = across ? 1 : WIDTH;
        for (int k = 0; k < reach; k++) {
            int kind = g->kind[start + stride * nth[k]], f = FOSSIL_OF_KIND[kind], value = kind - f * VALUES + 1;
            int growth = g->sum[player][f] + value * (g->count[player][f] + 1);
            float *tile = o->reach[ray][k];
            tile[0] = VALUE_OF_KIND[kind];
            memcpy(tile + 1, known[f], sizeof known[f]);
            tile[4] = (growth < 40 ? growth : 40) / 40.0f;
        }
    }
}

static void observe_seats(const Game *g, int player, Observation *o)
{
    for (int seat = 0, p = player; seat < g->players; seat++, p = p + 1 < g->players ? p + 1 : 0) {
        int points = g->score[p];
        o->seat[seat] = 1.0f;
        o->score[seat] = (points < 200 ? points : 200) / 200.0f;
        o->purse[seat] = (points < TILES ? points : TILES) / (float)TILES;
        for (int f = 0; f < FOSSILS; f++)
            o->product[seat][f] = g->count[p][f] * g->sum[p][f] / 117.0f;
        for (int k = 0; k < KINDS; k++)
            o->held[seat][k] = g->held[p][k] / COPIES_OF_KIND[k];
    }
}

static void observe(const Game *g, int player, Observation *o)
{
    memset(o, 0, sizeof *o);
    o->phase[g->phase] = 1.0f;
    o->turn[(g->to_play - player + g->players) % g->players] = 1.0f;
    observe_seats(g, player, o);
    for (int f = 0; f < FOSSILS; f++)
        o->left[f] = NINTHS[g->left[f]];
    for (int cell = 0; cell < CELLS; cell++) { /* an empty space writes a zero to where one is */
        int kind = g->kind[cell];
        o->tile[FOSSIL_OF_KIND[kind]][cell] = VALUE_OF_KIND[kind];
    }
    if (g->phase != PLACING)
        observe_rays(g, player, o);
    for (int s = 0; s < g->placed; s++)
        o->stone[s][g->stone[s][0] * WIDTH + g->stone[s][1]] = 1.0f;
    if (g->given != NONE)
        o->given[g->given] = 1.0f;
    if (g->completed != NONE)
        o->completed[g->completed] = 1.0f;
    o->tactical = g->tactical;
}

/* --- entry points ------------------------------------------------------------------------------------------------ */

static void write_outcome(const Game *g, float *outcome) /* 7.3, 7.4 */
{
    for (int p = 0; p < g->players; p++) {
        int better = 0, equal = 0;
        for (int q = 0; q < g->players; q++) {
            better += g->score[q] > g->score[p];
            equal += g->score[q] == g->score[p];
        }
        outcome[p] = 1.0 - 2.0 * (better + 0.5 * (equal - 1)) / (g->players - 1);
    }
}

typedef struct { /* the OPTIONS record of the kernel */
    int8_t players, tactical, setup;
} Options;

static void start(Game *g, uint64_t seed, const Options *options)
{
    int small = options->setup ? options->setup == 2 : options->players < 4; /* 1.2 to 1.4 */
    set_up(g, seed, options->players, small, options->tactical);
}

/* Play games; score and outcome are (games, players), decisions is (games). */
void random_games(int64_t games, uint64_t seed, const Options *options, int32_t *score, float *outcome,
                  int32_t *decisions)
{
    Game g;
    int32_t actions[N_ACTIONS];
    uint64_t episodes = output(seed, STREAM_EPISODE);
    make_tables();
    for (int64_t i = 0; i < games; i++) {
        uint64_t own = output(episodes, i), stream = output(own, STREAM_PLAY);
        start(&g, own, options);
        for (int n; (n = list_actions(&g, actions)) > 0;)
            act(&g, actions[n == 1 ? 0 : below(stream, g.decisions++, n)]); /* 8.1 */
        memcpy(score + i * g.players, g.score, g.players * sizeof *score);
        write_outcome(&g, outcome + i * g.players);
        decisions[i] = g.decisions;
    }
}

/* Play games, writing observation and mask at every decision: over one another, or one after the other with `keep`. */
void observed_games(int64_t games, uint64_t seed, const Options *options, int keep, Observation *obs,
                    int8_t (*mask)[N_ACTIONS], int32_t *decisions)
{
    Game g;
    int32_t actions[N_ACTIONS];
    uint64_t episodes = output(seed, STREAM_EPISODE);
    make_tables();
    for (int64_t i = 0; i < games; i++) {
        uint64_t own = output(episodes, i), stream = output(own, STREAM_PLAY);
        start(&g, own, options);
        for (int n; (n = list_actions(&g, actions)) > 0;) {
            int chosen = 0;
            if (n > 1) { /* 8.1 */
                observe(&g, g.to_play, obs);
                memset(mask, 0, sizeof *mask);
                for (int k = 0; k < n; k++)
                    (*mask)[actions[k]] = 1;
                obs += keep;
                mask += keep;
                chosen = below(stream, g.decisions++, n);
            }
            act(&g, actions[chosen]);
        }
        decisions[i] = g.decisions;
    }
}

/* What the caller compares with its own: bytes of the options, floats of an observation, number of actions. */
void sizes(int32_t *answer)
{
    answer[0] = sizeof(Options);
    answer[1] = sizeof(Observation) / sizeof(float);
    answer[2] = N_ACTIONS;
}
