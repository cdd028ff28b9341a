import ArgumentParser
import Contracts
import Delivery
import Foundation
import Program

/// `counterfoil dead`: what to do with events that no handler could take.
struct DeadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dead",
        abstract: "Lists, shows, retries and discards dead letters: events that no handler could take.",
        subcommands: [List.self, Show.self, Retry.self, Discard.self]
    )

    /// `counterfoil dead list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the dead letters of all partitions.")

        @OptionGroup var option: HomeOption

        @Flag(help: "Print one JSON array.")
        var json = false

        func run() async throws {
            let answers = try await PartitionInquiry.of(option.home) { inquiry in
                await inquiry.askAll(DeadLettersListV1(), inquiry.addresses())
            }
            let rows = answers.found().flatMap { address, list in
                list.letters.map { Row(at: address, letter: $0) }
            }
            let missed = answers.missed()
            if json {
                try Terminal.printJSON(rows)
            } else if !rows.isEmpty || missed.isEmpty {
                print(Self.text(rows))
            }
            try missed.check("the list")
        }

        private static func text(_ rows: [Row]) -> String {
            guard !rows.isEmpty else { return "no dead letters" }
            var table = TextTable(["LETTER", "TIME", "AT", "TYPE", "SUBJECT", "REASON"])
            for row in rows {
                let letter = row.letter
                let cells = [
                    letter.letterId, letter.time.rfc3339, row.at.description, letter.type, letter.subject,
                ]
                table.add(cells + [letter.reason])
            }
            return table.text
        }
    }

    /// A dead letter and where it lies.
    struct Row: Encodable {
        let at: PartitionAddress
        let letter: DeadLetter
    }

    /// `counterfoil dead show`.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows one dead letter with its event.")

        @OptionGroup var option: HomeOption
        @Argument(help: "The letter, as `dead list` names it.") var letter: String

        func run() async throws {
            let found = try await DeadCommand.ask(DeadLetterGetV1(letterId: letter), option.home)
            print(
                "at \(found.at), from \(found.letter.from?.description ?? "-"), \(found.letter.time.rfc3339)"
            )
            print("reason: \(found.letter.reason)")
            print(found.letter.event ?? "")
        }
    }

    /// `counterfoil dead retry`.
    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Hands one dead letter to its handler again."
        )

        @OptionGroup var option: HomeOption
        @Argument(help: "The letter, as `dead list` names it.") var letter: String

        func run() async throws {
            let found = try await DeadCommand.ask(DeadLetterRetryV1(letterId: letter), option.home)
            print("\(found.letter.type) \(found.letter.eventId) is handled again at \(found.at)")
        }
    }

    /// `counterfoil dead discard`.
    struct Discard: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Gives one dead letter up; the audit keeps who did it."
        )

        @OptionGroup var option: HomeOption
        @Argument(help: "The letter, as `dead list` names it.") var letter: String

        @Option(help: "Who decides it.")
        var by = ProcessInfo.processInfo.userName

        func run() async throws {
            let question = DeadLetterDiscardV1(letterId: letter, decidedBy: by)
            let found = try await DeadCommand.ask(question, option.home)
            print("\(found.letter.type) \(found.letter.eventId) at \(found.at) is discarded")
        }
    }

    /// Asks the partition that has one letter.
    private static func ask<Question: Request>(_ question: Question, _ home: Home) async throws -> Row
    where Question.Reply == DeadLetter {
        let unknown = "there is no such dead letter; see `counterfoil dead list`"
        let found = try await PartitionInquiry.find(question, in: home, unknown: unknown)
        return Row(at: found.address, letter: found.reply)
    }
}
