import ArgumentParser
import Contracts
import Program

struct DeadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dead",
        abstract: "Lists, shows, retries and discards dead letters: events that no handler could take.",
        subcommands: [List.self, Show.self, Retry.self, Discard.self]
    )

    struct Row: Encodable {
        let at: PartitionAddress
        let letter: DeadLetter
    }

    struct Target: ParsableArguments {
        @OptionGroup var option: HomeOption
        @Argument(help: "The letter, as `dead list` names it.") var letter: String

        func ask<Question: RequestContract>(_ question: Question) async throws -> Row
        where Question.Reply == DeadLetter {
            try await DeadCommand.find(question, in: option.home)
        }
    }

    /// Asks every partition about one letter.
    private static func find<Question: RequestContract>(
        _ question: Question,
        in home: Home
    ) async throws -> Row where Question.Reply == DeadLetter {
        let unknown = "there is no such dead letter; see `counterfoil dead list`"
        return try await PartitionInquiry.find(question, as: Row.init, in: home, unknown: unknown)
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the dead letters of all partitions.")

        @OptionGroup var options: ListOptions

        func run() async throws {
            try await options.show(
                DeadLettersListV1(),
                as: Row.init,
                none: "no dead letters",
                columns: [
                    ("LETTER", \.letter.letterId), ("TIME", \.letter.time.rfc3339),
                    ("AT", \.at.description), ("TYPE", \.letter.type), ("SUBJECT", \.letter.subject),
                    ("TRIES", { String($0.letter.attempts) }),
                    ("AT FIRST", { $0.letter.firstReason ?? "-" }), ("REASON", \.letter.reason),
                ],
                rest: { $0.deadLetters - $1.count }
            )
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows one dead letter with its event.")

        @OptionGroup var target: Target

        func run() async throws {
            let found = try await target.ask(DeadLetterGetV1(letterId: target.letter))
            let from = found.letter.from?.description ?? "-"
            print("at \(found.at), from \(from), \(found.letter.time.rfc3339)")
            print("reason: \(found.letter.reason)")
            if let first = found.letter.firstReason {
                print("at first: \(first); tried again \(found.letter.attempts.counted("time"))")
            }
            print(found.letter.event ?? "")
        }
    }

    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Hands dead letters to their handlers again: one, those of a type, or all.",
            discussion: """
                Many are handed on one after the other, the oldest first: the 1,000 oldest of each partition. What \
                fails once more is a dead letter with a new id.

                Exit code 0: they were handed on. 1: there is no such letter, or a partition refused. 3: a partition \
                did not answer.
                """
        )

        @OptionGroup var option: HomeOption

        @Argument(help: "The letter, as `dead list` names it.")
        var letter: String?

        @Flag(help: "All dead letters.")
        var all = false

        @Option(help: "All dead letters of this type of message.")
        var type: String?

        func validate() throws {
            let ways = [letter != nil, all, type != nil].count { $0 }
            guard ways == 1 else { throw ValidationError("Name one letter, --type TYPE, or --all.") }
        }

        func run() async throws {
            if let letter {
                let found = try await DeadCommand.find(DeadLetterRetryV1(letterId: letter), in: option.home)
                print("\(found.letter.type) \(found.letter.eventId) is handled again at \(found.at)")
                return
            }
            let report = try await PartitionInquiry.of(option.home) {
                try await DeadLetterRound(group: $0, type: type).carryOut()
            }
            if report.decided > 0 || report.isComplete { print(DeadLetterRound.text(of: report.decided)) }
            try report.check("the retry")
        }
    }

    struct Discard: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Discards one dead letter; the audit records who did it."
        )

        @OptionGroup var target: Target
        @OptionGroup var decision: DecisionOption

        func run() async throws {
            let question = DeadLetterDiscardV1(letterId: target.letter, decidedBy: decision.by)
            let found = try await target.ask(question)
            print("\(found.letter.type) \(found.letter.eventId) at \(found.at) is discarded")
        }
    }
}
