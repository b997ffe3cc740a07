// Observations with the answer of the bot greedy, shared by the bots of all languages.
#pragma once

#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/wrappers.pb.h>

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tongits/tongits.h"

struct Sample {
  std::string id, greedy;
  tongits::GameStarted started;
  tongits::DecisionRequest request;

  tongits::View view() const { return {started, request}; }
};

template <typename Message>
Message from_json(const std::string& json) {
  Message message;
  const auto status = google::protobuf::util::JsonStringToMessage(json, &message);
  if (!status.ok()) throw std::runtime_error(status.ToString());
  return message;
}

template <typename Message>
Message from_base64(const std::string& text) {
  Message message;
  message.ParseFromString(from_json<google::protobuf::BytesValue>("\"" + text + "\"").value());
  return message;
}

inline std::vector<Sample> read_corpus() {
  std::ifstream file("corpus.jsonl");
  if (!file) file.open("../corpus/observations.jsonl");
  std::vector<Sample> samples;
  for (std::string line; std::getline(file, line);) {
    const auto fields = from_json<google::protobuf::Struct>(line).fields();
    const auto text = [&](const char* key) { return fields.at(key).string_value(); };
    samples.push_back({text("id"), text("greedy"),
                       from_base64<tongits::GameStarted>(text("started")),
                       from_base64<tongits::DecisionRequest>(text("request"))});
  }
  return samples;
}
