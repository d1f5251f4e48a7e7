// Connections that have not shown a token: those that shake hands, ask by HTTP, or have not said hello. They share so many
// places, apart from those who have shown one. When all are taken the one goes that came first of the address with the
// most: who means well is through in a moment, and who fills the room loses its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace bristle::live {

class WaitingRoom {
  public:
    struct Guest {
        std::string address;
        std::function<void()> leave;  // the connection is to end: another needs its place
    };
    using Place = std::shared_ptr<Guest>;  // as long as somebody holds it

    explicit WaitingRoom(size_t places) : places_(places) {}

    Place enter(std::string address) {
        if (guests_->size() >= places_) send_one_away();
        Place place(new Guest{std::move(address), {}}, [guests = guests_](Guest* guest) {
            std::erase(*guests, guest);
            delete guest;
        });
        guests_->push_back(place.get());
        return place;
    }
    size_t size() const { return guests_->size(); }

  private:
    void send_one_away() {
        std::map<std::string, size_t> counts;
        size_t most = 0;
        for (const Guest* guest : *guests_) most = std::max(most, ++counts[guest->address]);
        const auto first = std::find_if(guests_->begin(), guests_->end(), [&](const Guest* guest) {
            return counts[guest->address] == most;
        });
        const auto leave = std::move((*first)->leave);
        guests_->erase(first);
        if (leave) leave();
    }

    size_t places_;
    std::shared_ptr<std::vector<Guest*>> guests_ = std::make_shared<std::vector<Guest*>>();
};

}  // namespace bristle::live
