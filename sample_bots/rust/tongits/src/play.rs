//! Play at the harness's table: one stream, batches in, batches of answers out.
//!
//! A thread of its own moves the messages, so that answers leave while the bot goes on thinking.

use std::collections::HashMap;
use std::env;
use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::mpsc as inbox;
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::mpsc as outbox;
use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::Endpoint;
use tonic::{Code, Status};

use crate::table::bot_message::Content;
use crate::table::decision::Choice;
use crate::table::table_client::TableClient;
use crate::table::{
    BotMessage, Decision, DecisionRequest, Decisions, GameOver, GameStarted, Hello, TableMessage,
};
use crate::values::{Action, Event, Outcome};
use crate::view::{Game, View};

const CONCURRENT_GAMES: u32 = 128;
const SDK: &str = "tongits-rust/1.0";
/// Answers wait at most this part of the decision limit for others to be sent with them.
const FLUSH_SHARE: u64 = 10;
/// Characters kept of one note; with PENDING_NOTES a message stays below 64 KiB.
const NOTE_LIMIT: usize = 2000;
const PENDING_NOTES: usize = 6000;
/// Messages that may wait to be sent.
const OUTBOX: usize = 64;
/// Time for the harness to read what was decided before a crash, or the wrong game is charged.
const LINGER: Duration = Duration::from_millis(20);

const HOW_TO_RUN: &str = "\
This is a Tongits Arena bot. It plays at a table that the harness sets up, so the harness starts it:
    tongits run random greedy BOT_FOLDER
(TONGITS_ADDRESS is not set: that is the address of the table.)";

/// A bot that remembers: one value plays one game. All but `decide` may be left out.
pub trait GameBot {
    /// The game begins, or goes on in a new process (`game.resumed`).
    fn start(&mut self, _game: &Game) {}

    /// Something happened. Called once for each event of the game, also after a resume.
    fn observe(&mut self, _event: &Event) {}

    /// Choose one of `view.legal`.
    fn decide(&mut self, view: &View) -> Action;

    /// The game has ended.
    fn over(&mut self, _outcome: &Outcome) {}
}

struct Stateless<D>(D);

impl<D: Fn(&View) -> Action> GameBot for Stateless<D> {
    fn decide(&mut self, view: &View) -> Action {
        self.0(view)
    }
}

/// Play with a function from a view to one of `view.legal` until the harness has had enough.
pub fn serve(decide: fn(&View) -> Action) -> ExitCode {
    serve_games(|| Stateless(decide))
}

/// Play with one [`GameBot`] for each game: pass a function that makes one.
pub fn serve_games<B: GameBot>(new_bot: impl Fn() -> B) -> ExitCode {
    let Some(address) = env::var("TONGITS_ADDRESS").ok().filter(|text| !text.is_empty()) else {
        eprintln!("{HOW_TO_RUN}");
        return ExitCode::from(2);
    };
    let (answers, to_send) = outbox::channel(OUTBOX);
    let (received, messages) = inbox::channel();
    send(&answers, Content::Hello(hello()));
    thread::spawn(move || carry(&address, to_send, &received));
    let mut table = Table::new(new_bot, answers);
    for message in messages {
        let is_seated = table.is_seated;
        let failure = match message {
            Ok(message) => catch_unwind(AssertUnwindSafe(|| table.take(message))).is_err(),
            Err(status) => explain(&status, is_seated),
        };
        if failure {
            table.drain();
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn hello() -> Hello {
    Hello {
        protocol_version: 1,
        token: env::var("TONGITS_TOKEN").unwrap_or_default(),
        concurrent_games: CONCURRENT_GAMES,
        sdk: SDK.into(),
    }
}

fn send(answers: &outbox::Sender<BotMessage>, content: Content) {
    let message = BotMessage { content: Some(content) };
    // If the table is gone there is nobody to tell: its end is among the messages.
    let _ = answers.blocking_send(message);
}

/// Say why the stream broke; false if the table was simply taken away.
fn explain(status: &Status, is_seated: bool) -> bool {
    let is_gone = matches!(status.code(), Code::Unavailable | Code::Cancelled);
    if is_seated && (is_gone || status.source().is_some()) {
        return false;
    }
    let (code, text) = (status.code(), status.message());
    eprintln!("The table refused this bot: {text} ({code:?})");
    true
}

/// Moves messages both ways until the stream ends.
fn carry(
    address: &str,
    to_send: outbox::Receiver<BotMessage>,
    received: &inbox::Sender<Result<TableMessage, Status>>,
) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let played = runtime.expect("a runtime").block_on(async {
        let mut client = TableClient::new(connect(address).await?);
        let mut stream = client.play(ReceiverStream::new(to_send)).await?.into_inner();
        while let Some(message) = stream.message().await? {
            if received.send(Ok(message)).is_err() {
                break;
            }
        }
        Ok(())
    });
    if let Err(status) = played {
        let _ = received.send(Err(status)); // nobody waits for it if the bot has failed
    }
}

async fn connect(address: &str) -> Result<tonic::transport::Channel, Status> {
    let is_unix = address.starts_with("unix:");
    let target = if is_unix { address.to_string() } else { format!("http://{address}") };
    let refused = |error: tonic::transport::Error| {
        let cause = error.source().map_or(String::new(), |cause| format!(": {cause}"));
        Status::unavailable(format!("{address}: {error}{cause}"))
    };
    Endpoint::from_shared(target).map_err(refused)?.connect().await.map_err(refused)
}

/// One game of this process: what is fixed, who plays it, which event comes next.
struct Seat<B> {
    bot: B,
    game: Rc<Game>,
    next_event: u32,
}

impl<B: GameBot> Seat<B> {
    fn new(mut bot: B, message: GameStarted) -> Self {
        let game = Rc::new(Game::from(message));
        bot.start(&game);
        let mut seat = Seat { bot, game: Rc::clone(&game), next_event: 0 };
        seat.show(&game.history);
        seat
    }

    fn show(&mut self, events: &[Event]) {
        for event in events {
            if event.number >= self.next_event {
                self.next_event = event.number + 1;
                self.bot.observe(event);
            }
        }
    }
}

/// The games in progress and the answers not yet sent.
struct Table<F, B> {
    new_bot: F,
    seats: HashMap<String, Seat<B>>,
    answers: outbox::Sender<BotMessage>,
    pending: Vec<Decision>,
    pending_notes: usize,
    flush_after: Duration,
    is_seated: bool,
}

impl<F: Fn() -> B, B: GameBot> Table<F, B> {
    fn new(new_bot: F, answers: outbox::Sender<BotMessage>) -> Self {
        Table {
            new_bot,
            seats: HashMap::new(),
            answers,
            pending: Vec::new(),
            pending_notes: 0,
            flush_after: Duration::from_millis(100),
            is_seated: false,
        }
    }

    /// Does what one message says, in the order of its fields.
    fn take(&mut self, message: TableMessage) {
        if let Some(welcome) = message.welcome {
            self.is_seated = true;
            self.flush_after = Duration::from_micros(welcome.decision_limit_us / FLUSH_SHARE);
        }
        for started in message.started {
            self.start(started);
        }
        self.answer_all(message.requests);
        for over in message.over {
            self.end(over);
        }
    }

    fn start(&mut self, message: GameStarted) {
        let seat = Seat::new((self.new_bot)(), message);
        self.seats.insert(seat.game.id.clone(), seat);
    }

    fn end(&mut self, mut message: GameOver) {
        if let Some(mut seat) = self.seats.remove(&message.game_id) {
            let events: Vec<Event> = message.events.drain(..).map(Event::from).collect();
            seat.show(&events);
            seat.bot.over(&Outcome::from(message));
        }
    }

    /// Answers in order; sends when all are answered, or when the first has waited long enough.
    fn answer_all(&mut self, requests: Vec<DecisionRequest>) {
        let mut send_by = Instant::now() + self.flush_after;
        for request in requests {
            self.answer(request);
            if Instant::now() > send_by || self.pending_notes > PENDING_NOTES {
                self.flush();
                send_by = Instant::now() + self.flush_after;
            }
        }
        self.flush();
    }

    fn answer(&mut self, request: DecisionRequest) {
        let game_id = request.game_id;
        if !self.seats.contains_key(&game_id) {
            // A practice decision of a game that was never announced.
            self.start(GameStarted { game_id: game_id.clone(), ..Default::default() });
        }
        let seat = self.seats.get_mut(&game_id).expect("a game that has begun");
        let observation = request.observation.unwrap_or_default();
        let view = View::new(observation, Rc::clone(&seat.game), request.time_left_us);
        seat.show(&view.events);
        let action = seat.bot.decide(&view);
        let choice = match view.legal.iter().position(|legal| *legal == action) {
            Some(index) => Choice::Index(index as u32),
            None => Choice::Action(action.into()), // the harness says what is wrong with it
        };
        let note: String = view.take_note().chars().take(NOTE_LIMIT).collect();
        self.pending_notes += note.len();
        self.pending.push(Decision {
            decision_id: request.decision_id,
            note,
            choice: Some(choice),
        });
    }

    fn flush(&mut self) {
        self.pending_notes = 0;
        let decisions = std::mem::take(&mut self.pending);
        if !decisions.is_empty() {
            send(&self.answers, Content::Decisions(Decisions { decisions }));
        }
    }

    /// Before a crash: sees the last answers off, for what was decided before it still counts.
    fn drain(&mut self) {
        self.flush();
        let give_up = Instant::now() + Duration::from_secs(1);
        while self.answers.capacity() < OUTBOX && Instant::now() < give_up {
            thread::sleep(Duration::from_millis(1));
        }
        thread::sleep(LINGER);
    }
}
