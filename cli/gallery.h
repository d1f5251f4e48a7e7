// What `bristle view` can show: the scenes that come with Bristle, recordings, and what the command line names.
#pragma once

#include "cli/commands.h"
#include "cli/prepare.h"
#include "live/hub/hub.h"

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace bristle::cli {

class Gallery : public live::Library {
  public:
    explicit Gallery(const ViewOptions&, std::function<void(const std::string&)> tell);

    std::vector<live::GalleryEntry> entries() const override;
    live::Opened open(const std::string& name,
                      const std::map<std::string, std::string>& parameters) override;

    void write_back(const std::string& name,
                    const std::map<std::string, std::string>& parameters) override;

    // What the command line names, as it is called in the gallery.
    const std::string& given_name() const { return given_name_; }
    // The same, opened, and recorded if that was asked for.
    live::Opened open_given();

  private:
    live::Opened open_scene(const SceneOptions&,
                            const std::map<std::string, std::string>& overrides,
                            const std::filesystem::path& mapping, AskedBy);
    live::Opened open_given(const std::map<std::string, std::string>& parameters);

    const ViewOptions options_;
    const std::function<void(const std::string&)> tell_;
    std::string given_name_, given_title_;
    bool is_own_ = false;  // given_name_ is a scene of the user's
    std::vector<live::GalleryEntry> scenes_;
};

}  // namespace bristle::cli
