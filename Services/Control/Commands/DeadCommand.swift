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
            let unknown = "there is no such dead letter; see `counterfoil dead list`"
            return try await PartitionInquiry.find(question, as: Row.init, in: option.home, unknown: unknown)
        }
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
                    ("REASON", \.letter.reason),
                ]
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
            print(found.letter.event ?? "")
        }
    }

    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Hands one dead letter to its handler again."
        )

        @OptionGroup var target: Target

        func run() async throws {
            let found = try await target.ask(DeadLetterRetryV1(letterId: target.letter))
            print("\(found.letter.type) \(found.letter.eventId) is handled again at \(found.at)")
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
