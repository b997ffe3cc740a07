// Plays at the harness's table: one stream, batches in, batches of answers out.
#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <thread>
#include <unordered_map>

#include "tongits/tongits.h"
#include "tongits/v1/table.grpc.pb.h"

namespace tongits {
namespace {

using Clock = std::chrono::steady_clock;
using Stream = grpc::ClientReaderWriter<BotMessage, TableMessage>;

constexpr std::size_t NOTE_LIMIT = 2000, PENDING_NOTES = 6000;  // bytes; a message has 64 KiB
constexpr auto LINGER = std::chrono::milliseconds(20);  // to see the last answers off in a crash

constexpr const char* HOW_TO_RUN =
    "This is a Tongits Arena bot. It plays at a table that the harness sets up, so the harness "
    "starts it:\n    tongits run random greedy BOT_FOLDER\n"
    "(TONGITS_ADDRESS is not set: that is the address of the table.)";

BotMessage hello(int concurrent_games) {
  const char* token = std::getenv("TONGITS_TOKEN");
  BotMessage message;
  message.mutable_hello()->set_protocol_version(1);
  message.mutable_hello()->set_token(token ? token : "");
  message.mutable_hello()->set_concurrent_games(static_cast<unsigned>(concurrent_games));
  message.mutable_hello()->set_sdk("tongits-cpp/1.0");
  return message;
}

bool is_same(const Action& a, const Action& b) {
  return a.kind() == b.kind() && a.cards() == b.cards() && a.meld() == b.meld();
}

// At most NOTE_LIMIT bytes of a note, cut between two characters of UTF-8.
std::string shortened(const std::string& note) {
  std::size_t end = std::min(note.size(), NOTE_LIMIT);
  while (end < note.size() && end > 0 && (note[end] & 0xC0) == 0x80) --end;
  return note.substr(0, end);
}

// The action by its place among the legal ones; else spelled out, so that the harness can say what
// is wrong with it.
void choose(Decision& decision, const Action& action, const Observation& seen) {
  for (int index = 0; index < seen.legal_size(); ++index)
    if (is_same(seen.legal(index), action)) return decision.set_index(index);
  *decision.mutable_action() = action;
}

// The games in progress and the answers not yet sent.
class Desk {
 public:
  Desk(const Decide& decide, Stream& stream) : decide_(decide), stream_(stream) {}

  bool is_seated() const { return is_seated_; }

  // Does what one message says, in the order of its fields.
  void take(const TableMessage& message) {
    if (message.has_welcome()) {
      is_seated_ = true;
      flush_after_ = std::chrono::microseconds(message.welcome().decision_limit_us() / 10);
    }
    for (const auto& started : message.started()) games_[started.game_id()] = started;
    auto send_by = Clock::now() + flush_after_;
    for (const auto& request : message.requests()) {
      answer(request);
      if (Clock::now() > send_by || pending_notes_ > PENDING_NOTES) {
        flush();
        send_by = Clock::now() + flush_after_;
      }
    }
    flush();
    for (const auto& over : message.over()) games_.erase(over.game_id());
  }

  void flush() {
    if (answers_.has_decisions()) stream_.Write(answers_);
    answers_.Clear();
    pending_notes_ = 0;
  }

 private:
  void answer(const DecisionRequest& request) {
    View view(games_[request.game_id()], request);
    const Action action = decide_(view);
    Decision& decision = *answers_.mutable_decisions()->add_decisions();
    decision.set_decision_id(request.decision_id());
    choose(decision, action, request.observation());
    decision.set_note(shortened(view.note));
    pending_notes_ += decision.note().size();
  }

  const Decide& decide_;
  Stream& stream_;
  std::unordered_map<std::string, GameStarted> games_;
  BotMessage answers_;
  std::size_t pending_notes_ = 0;
  std::chrono::microseconds flush_after_{100000};
  bool is_seated_ = false;
};

// Whether the stream ended normally: after the Welcome the table may just be taken away.
bool is_normal(const grpc::Status& status, bool is_seated) {
  const auto code = status.error_code();
  return status.ok() || (is_seated && (code == grpc::StatusCode::UNAVAILABLE ||
                                       code == grpc::StatusCode::CANCELLED));
}

}  // namespace

int serve(const Decide& decide, int concurrent_games) {
  const char* address = std::getenv("TONGITS_ADDRESS");
  if (!address) {
    std::cerr << HOW_TO_RUN << std::endl;
    return 2;
  }
  grpc::ChannelArguments options;
  options.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  const auto stub = v1::Table::NewStub(
      grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), options));
  grpc::ClientContext context;
  const auto stream = stub->Play(&context);
  stream->Write(hello(concurrent_games));
  Desk desk(decide, *stream);
  TableMessage message;
  try {
    while (stream->Read(&message)) desk.take(message);
  } catch (const std::exception& error) {
    std::cerr << "decide failed: " << error.what() << std::endl;
    desk.flush();  // what was decided before still counts
    std::this_thread::sleep_for(LINGER);
    context.TryCancel();
    stream->Finish();
    return 1;
  }
  const grpc::Status status = stream->Finish();
  if (is_normal(status, desk.is_seated())) return 0;
  std::cerr << "The table refused this bot: " << status.error_message() << " ("
            << status.error_code() << ")" << std::endl;
  return 1;
}

}  // namespace tongits
