#include "util/redact.h"

#include <catch2/catch_test_macros.hpp>

#include <chrono>
#include <string>
#include <vector>

namespace test_redact {

using namespace debrief;
using Words = std::vector<std::string>;

namespace {

std::string redacted(std::string_view text) {
  return without_secrets(text);
}

} // namespace

TEST_CASE("a name is secret by its whole words") {
  for (const char* name :
       {"token",         "HF_TOKEN",         "--hub-token",   "hubToken",
        "HFToken",       "model.auth_token", "secret",        "AWS_SECRET_ACCESS_KEY",
        "client-secret", "password",         "db_password",   "PASSWORD",
        "auth",          "--auth",           "pwd",           "GITHUB_PAT",
        "--pat",         "api_key",          "--api-key",     "apiKey",
        "APIKey",        "access-key",       "PRIVATE_KEY",   "--apikey",
        "api_keys",      "token2",           "Authorization", "passwd"})
    CHECK((is_secret_name(name) ? "secret" : name) == std::string{"secret"});
  for (const char* name :
       {"--max_tokens", "--tokenizer",   "--sort-key", "--compat",   "tokens",    "maxTokens",
        "key",          "--key",         "author",     "--path",     "patience",  "PATH",
        "keyApi",       "--primary-key", "public_key", "detokenize", "secretary", "",
        "--",           "authority",     "api",        "APIKEYS2X"})
    CHECK((is_secret_name(name) ? "secret" : name) == std::string{name});
}

TEST_CASE("a command line keeps its options and loses its secrets") {
  CHECK(without_secrets(Words{"train", "--api-key=abc", "--token", "abc", "--lr", "1"}) ==
        Words{"train", "--api-key=***", "--token", "***", "--lr", "1"});
  CHECK(without_secrets(Words{"--max_tokens", "100", "--tokenizer", "gpt2", "--sort-key", "x",
                              "--compat", "y", "--max_tokens=5"}) ==
        Words{"--max_tokens", "100", "--tokenizer", "gpt2", "--sort-key", "x", "--compat", "y",
              "--max_tokens=5"});
  CHECK(without_secrets(Words{"--use-auth-token", "--lr", "1"}) ==
        Words{"--use-auth-token", "--lr", "1"});
  CHECK(without_secrets(Words{"--token", "-abc"}) == Words{"--token", "***"});
  CHECK(without_secrets(Words{"env", "HF_TOKEN=a b c", "+wandb.api_key=abc"}) ==
        Words{"env", "HF_TOKEN=***", "+wandb.api_key=***"});
  CHECK(without_secrets(Words{"curl", "-H", "Authorization: Bearer abc", "https://me:abc@x/y"}) ==
        Words{"curl", "-H", "Authorization: ***", "https://***@x/y"});
  CHECK(without_secrets(Words{"-H", "Bearer", "abc", "d"}) == Words{"-H", "Bearer", "***", "d"});
  CHECK(without_secrets(Words{"sh", "-c", "python t.py --token abc --lr 1; TOKEN=abc x"}) ==
        Words{"sh", "-c", "python t.py --token *** --lr 1; TOKEN=*** x"});
  CHECK(without_secrets(Words{"--config", R"({"api_key": "abc", "lr": 1})"}) ==
        Words{"--config", R"({"api_key": "***", "lr": 1})"});
  CHECK(without_secrets(Words{"python", "", "-", "--", "--token"}) ==
        Words{"python", "", "-", "--", "--token"});
}

TEST_CASE("user info of a URL is hidden, its host is not") {
  CHECK(redacted("git+https://abc@github.com/a/b.git") == "git+https://***@github.com/a/b.git");
  CHECK(redacted("a postgres://u:p@ss@h:5432/d, b") == "a postgres://***@h:5432/d, b");
  CHECK(redacted("redis://:abc@h") == "redis://***@h");
  CHECK(redacted("postgres://u:p/s#s@h/d") == "postgres://***@h/d");
  CHECK(redacted("https://h:80/a@b and http://h/x?m=a@b") ==
        "https://h:80/a@b and http://h/x?m=a@b");
  CHECK(redacted("https://[::1]:80/a@b") == "https://[::1]:80/a@b");
  CHECK(redacted("https://h/x?access_token=abc&y=1") == "https://h/x?access_token=***&y=1");
}

TEST_CASE("a traceback loses its secrets and stays readable") {
  CHECK(redacted("  File \"a.py\", line 3, in <module>\n    f(password=b'a\\'bc', lr=1)\n") ==
        "  File \"a.py\", line 3, in <module>\n    f(password=b'***', lr=1)\n");
  CHECK(redacted("{'HF_TOKEN': 'abc', 'LR': '1'}") == "{'HF_TOKEN': '***', 'LR': '1'}");
  CHECK(redacted(R"("{\"token\": \"abc\", \"lr\": 1}")") == R"("{\"token\": \"***\", \"lr\": 1}")");
  CHECK(redacted("Command '['x', '--token', 'abc', '--lr', '1']' failed") ==
        "Command '['x', '--token', '***', '--lr', '1']' failed");
  CHECK(redacted("auth=('me', 'abc'), x=1") == "auth=***, x=1");
  CHECK(redacted("Authorization: Basic abc=\nnext: 1") == "Authorization: ***\nnext: 1");
  CHECK(redacted("sent Bearer abc.def-1, then") == "sent Bearer ***, then");
  CHECK(redacted("KeyError: 'token'") == "KeyError: 'token'");
  CHECK(redacted("if token == other:") == "if token == other:");
  CHECK(redacted("std::auth::check(1)") == "std::auth::check(1)");
  CHECK(redacted("the password was wrong") == "the password was wrong");
}

TEST_CASE("a variable's value is hidden by its name, or by what is in it") {
  CHECK(without_secrets("HF_TOKEN", "abc") == "***");
  CHECK(without_secrets("HF_TOKEN", "").empty());
  CHECK(without_secrets("MASTER_ADDR", "tcp://u:p@h") == "tcp://***@h");
  CHECK(without_secrets("RANK", "3") == "3");
}

TEST_CASE("long texts take linear time") {
  for (const std::string part : {"a://b:c/", "token=", "token='", "auth=(", "Bearer ", "--token, ",
                                 "'--pat', '", "Authorization:", "x:\"", "\\\"token\\\":\\\""}) {
    std::string text;
    while (text.size() < 2'000'000)
      text += part;
    const auto begin = std::chrono::steady_clock::now();
    CHECK_FALSE(redacted(text).empty());
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds{20});
  }
}

} // namespace test_redact
