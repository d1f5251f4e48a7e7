#include "cli/commands.h"
#include "cli/commands/completion_scripts.h"

#include <fmt/format.h>

namespace bristle::cli {

int completion(const CompletionOptions& options) {
    fmt::print("{}", options.shell == "bash"  ? bash_completion
                     : options.shell == "zsh" ? zsh_completion
                                              : fish_completion);
    return 0;
}

}  // namespace bristle::cli
