// How the fields of the result are written and read. A struct's `describe` names each of its fields
// once; with a Writer it makes the document, with a Reader it takes the struct out of one.
//
// Written are six decimals, null for what is absent, times in ISO-8601. A document that is read may
// be anybody's: what is missing, null or of another type is absent, a number that has to be there
// is NaN (and null again when it is written), and a row without its times is left out.
//
// For the json*.cpp files only.
#pragma once

#include "result/enum_names.h"
#include "result/result.h"
#include "util/time.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace debrief::result {

/// A struct as a Writer sees it or a Reader fills it.
template <typename Io, typename Struct>
using Ref = std::conditional_t<Io::kWrites, const Struct&, Struct&>;

/// Null where it is not finite; see rounded() in result/json.h.
nlohmann::json number_json(double value);

/// The same, rounded to seven digits instead of six decimals.
nlohmann::json digits_json(double value);

class Writer {
public:
  static constexpr bool kWrites = true;

  explicit Writer(nlohmann::json& object)
      : out_(object) {}

  template <typename T>
  void operator()(const char* key, const T& value) {
    out_[key] = to_value(value);
  }

  /// Null where it is empty.
  void text_or_null(const char* key, const std::string& text) {
    out_[key] = text.empty() ? nlohmann::json(nullptr) : nlohmann::json(text);
  }

  /// Null where value.empty().
  template <typename T>
  void unless_empty(const char* key, const T& value) {
    out_[key] = value.empty() ? nlohmann::json(nullptr) : to_value(value);
  }

  /// Left out where value.empty().
  template <typename T>
  void if_any(const char* key, const T& value) {
    if (!value.empty()) out_[key] = to_value(value);
  }

  /// Left out where there is no value.
  template <typename T>
  void if_set(const char* key, const std::optional<T>& value) {
    if (value) out_[key] = to_value(*value);
  }

  /// Numbers of any size, to seven digits: a learning rate of 3e-7 has no six decimals.
  void digits(const char* key, const std::optional<double>& value) {
    out_[key] = value ? digits_json(*value) : nlohmann::json(nullptr);
  }

  void digits(const char* key, const std::vector<double>& values) {
    nlohmann::json list = nlohmann::json::array();
    for (const double value : values)
      list.push_back(digits_json(value));
    out_[key] = std::move(list);
  }

  void digits(const char* key, const std::vector<std::optional<double>>& values) {
    nlohmann::json list = nlohmann::json::array();
    for (const std::optional<double>& value : values)
      list.push_back(value ? digits_json(*value) : nlohmann::json(nullptr));
    out_[key] = std::move(list);
  }

  void time(const char* key, Microseconds value) { out_[key] = to_iso8601(value); }

  void time(const char* key, const std::optional<Microseconds>& value) {
    out_[key] = value ? nlohmann::json(to_iso8601(*value)) : nlohmann::json(nullptr);
  }

  /// Null both where it is absent.
  void span(const char* first, const char* last, const std::optional<TimeSpan>& value) {
    time(first, value ? std::optional(value->first) : std::nullopt);
    time(last, value ? std::optional(value->last) : std::nullopt);
  }

  /// Null where its clock is not known.
  void time_if(bool clock_known, const char* key, const std::optional<Microseconds>& value) {
    time(key, clock_known ? value : std::nullopt);
  }

  /// What follows from other fields, so that it is not read.
  template <typename T>
  void derived(const char* key, const T& value) {
    out_[key] = to_value(value);
  }

  /// What 0.1.0 called the field before; only read.
  template <typename T>
  void formerly(const char*, const T&) {}

  /// Fields in an object of their own.
  template <typename Fields>
  void group(const char* key, const Fields& fields) {
    nlohmann::json object = nlohmann::json::object();
    Writer inner{object};
    fields(inner);
    out_[key] = std::move(object);
  }

private:
  static nlohmann::json to_value(double value) { return number_json(value); }

  static nlohmann::json to_value(const PhaseName& name) { return name.text(); }

  template <typename T>
  static nlohmann::json to_value(const std::optional<T>& value) {
    return value ? to_value(*value) : nlohmann::json(nullptr);
  }

  template <typename T>
  static nlohmann::json to_value(const std::vector<T>& rows) {
    nlohmann::json list = nlohmann::json::array();
    for (const T& row : rows)
      list.push_back(to_value(row));
    return list;
  }

  static nlohmann::json to_value(const LaunchSize& size) { return size; }

  /// An object with these keys.
  template <typename T>
  static nlohmann::json to_value(const std::vector<std::pair<std::string, T>>& members) {
    nlohmann::json object = nlohmann::json::object();
    for (const auto& [name, value] : members)
      object[name] = to_value(value);
    return object;
  }

  template <typename T>
  static nlohmann::json to_value(const std::map<std::string, T>& members) {
    nlohmann::json object = nlohmann::json::object();
    for (const auto& [name, value] : members)
      object[name] = to_value(value);
    return object;
  }

  template <typename T>
  static nlohmann::json to_value(const T& value) {
    if constexpr (Named<T>) {
      return to_text(value);
    } else if constexpr (std::is_constructible_v<nlohmann::json, T>) {
      return value;
    } else {
      nlohmann::json object = nlohmann::json::object();
      Writer inner{object};
      describe(inner, value);
      return object;
    }
  }

  nlohmann::json& out_;
};

class Reader {
public:
  static constexpr bool kWrites = false;

  /// `object` must outlive it; anything but an object has no fields.
  explicit Reader(const nlohmann::json& object)
      : in_(object) {}

  template <typename T>
  void operator()(const char* key, T& value) {
    read(at(key), value);
  }

  void operator()(const char* key, TimeSpan& value) {
    if (!read(at(key), value)) complete_ = false;
  }

  void text_or_null(const char* key, std::string& text) { read(at(key), text); }

  template <typename T>
  void unless_empty(const char* key, T& value) {
    read(at(key), value);
  }

  template <typename T>
  void if_any(const char* key, T& value) {
    read(at(key), value);
  }

  template <typename T>
  void if_set(const char* key, std::optional<T>& value) {
    read(at(key), value);
  }

  template <typename T>
  void digits(const char* key, T& value) {
    read(at(key), value);
  }

  void time(const char* key, Microseconds& value) {
    std::optional<Microseconds> found;
    time(key, found);
    if (found)
      value = *found;
    else
      complete_ = false;
  }

  void time(const char* key, std::optional<Microseconds>& value);

  void span(const char* first, const char* last, std::optional<TimeSpan>& value);

  void time_if(bool, const char* key, std::optional<Microseconds>& value) { time(key, value); }

  template <typename T>
  void derived(const char*, const T&) {}

  template <typename T>
  void formerly(const char* key, T& value) {
    if (const nlohmann::json& found = at(key); !found.is_null()) read(found, value);
  }

  template <typename Fields>
  void group(const char* key, const Fields& fields) {
    Reader inner{at(key)};
    fields(inner);
    complete_ = complete_ && inner.complete_;
  }

  /// All times that have to be there were.
  bool complete() const { return complete_; }

private:
  /// Null where there is none.
  const nlohmann::json& at(const char* key) const;

  static bool read(const nlohmann::json& from, bool& value);
  static bool read(const nlohmann::json& from, std::int64_t& value);
  static bool read(const nlohmann::json& from, std::uint64_t& value);
  static bool read(const nlohmann::json& from, double& value);
  static bool read(const nlohmann::json& from, std::string& value);
  static bool read(const nlohmann::json& from, PhaseName& value);
  static bool read(const nlohmann::json& from, LaunchSize& value);
  static bool read(const nlohmann::json& from, Histogram& value);

  template <typename T>
  static bool read(const nlohmann::json& from, std::optional<T>& value) {
    T found{};
    value.reset();
    if (read(from, found)) value = std::move(found);
    return true;
  }

  template <typename T>
  static bool read(const nlohmann::json& from, std::vector<T>& rows) {
    rows.clear();
    if (!from.is_array()) return false;
    rows.reserve(from.size());
    for (const nlohmann::json& row : from) {
      T found{};
      if (read(row, found)) rows.push_back(std::move(found));
    }
    return true;
  }

  template <typename T>
  static bool read(const nlohmann::json& from, std::vector<std::pair<std::string, T>>& members) {
    members.clear();
    if (!from.is_object()) return false;
    for (const auto& [name, value] : from.items()) {
      T found{};
      if (read(value, found)) members.emplace_back(name, std::move(found));
    }
    return true;
  }

  template <typename T>
  static bool read(const nlohmann::json& from, std::map<std::string, T>& members) {
    members.clear();
    if (!from.is_object()) return false;
    for (const auto& [name, value] : from.items()) {
      T found{};
      if (read(value, found)) members.emplace(name, std::move(found));
    }
    return true;
  }

  template <typename T>
  static bool read(const nlohmann::json& from, T& value) {
    if constexpr (Named<T>) {
      std::string name;
      const auto found = read(from, name) ? from_text<T>(name) : std::nullopt;
      if (found) value = *found;
      return found.has_value();
    } else {
      if (!from.is_object()) return false;
      Reader inner{from};
      describe(inner, value);
      return inner.complete();
    }
  }

  const nlohmann::json& in_;
  bool complete_ = true;
};

template <typename Io>
void describe(Io& io, Ref<Io, TimeSpan> span) {
  io.time("start", span.first);
  io.time("end", span.last);
  io.derived("seconds", in_seconds(span.length()));
}

template <typename Io>
void describe(Io& io, Ref<Io, Histogram> histogram) {
  io("edges", histogram.edges);
  io("counts", histogram.counts);
}

/// Parts of the result, each with all that it consists of.
template <typename Io>
void describe_usage(Io& io, Ref<Io, Result> result);
template <typename Io>
void describe_conclusions(Io& io, Ref<Io, Result> result);
template <typename Io>
void describe_traces(Io& io, Ref<Io, Result> result);
template <typename Io>
void describe_curves(Io& io, Ref<Io, Result> result);
template <typename Io>
void describe_xgboost(Io& io, Ref<Io, Result> result);

template <typename Io>
void describe_model(Io& io, Ref<Io, Result> result);

template <typename Io>
void describe_python(Io& io, Ref<Io, Result> result);

} // namespace debrief::result
