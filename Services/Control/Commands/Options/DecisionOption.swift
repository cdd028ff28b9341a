import ArgumentParser
import FoundationEssentials

/// Who decides about an event; recorded in the audit.
struct DecisionOption: ParsableArguments {
    @Option(help: "Who decides it.")
    var by = ProcessInfo.processInfo.userName
}
