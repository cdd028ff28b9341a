import ArgumentParser
import Domain
import FoundationEssentials

struct LanguageOption: ParsableArguments {
    @Option(help: "en or zh (default: that of $LC_ALL, $LC_MESSAGES or $LANG).")
    var language: DeskLanguage?

    /// The option's, else that of the terminal.
    var spoken: DeskLanguage {
        let variables = ProcessInfo.processInfo.environment
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { variables[$0] }.first { !$0.isEmpty }
        return language ?? DeskLanguage(locale: locale)
    }
}
