import ArgumentParser
import Contracts
import Delivery
import Foundation
import Program

/// `counterfoil held`: what to do with events that are tried again and again, and with outside work that is parked.
struct HeldCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "held",
        abstract: "Lists, releases and buries held events: those that are tried again later.",
        discussion: """
            An event whose handler failed is held, and later ones of its subject queue behind it. Outside work \
            (a call to Apple, a webhook) whose result ended the program again and again is parked; it waits for \
            its release.
            """,
        subcommands: [List.self, Release.self, Bury.self]
    )

    /// `counterfoil held list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the held events and the parked work of all partitions."
        )

        @OptionGroup var option: HomeOption

        @Flag(help: "Print one JSON array.")
        var json = false

        func run() async throws {
            let answers = try await PartitionInquiry.of(option.home) { inquiry in
                await inquiry.askAll(HeldEventsListV1(), inquiry.addresses())
            }
            let rows = answers.found().flatMap { address, list in
                list.events.map { Row(at: address, held: $0) }
            }
            let missed = answers.missed()
            if json {
                try Terminal.printJSON(rows)
            } else if !rows.isEmpty || missed.isEmpty {
                print(Self.text(rows))
            }
            try missed.check("the list")
        }

        static func text(_ rows: [Row]) -> String {
            guard !rows.isEmpty else { return "nothing is held" }
            var table = TextTable(["EVENT", "TIME", "AT", "TYPE", "SUBJECT", "TRIES", "DUE", "REASON"])
            for row in rows {
                let held = row.held
                table.add([
                    held.eventId, held.time.rfc3339, row.at.description, held.type ?? held.kind.rawValue,
                    held.subject ?? "-", held.attempts.map(String.init) ?? "-", held.due?.rfc3339 ?? "-",
                    held.reason,
                ])
            }
            return table.text
        }
    }

    /// A held event and where it lies.
    struct Row: Encodable {
        let at: PartitionAddress
        let held: HeldEvent
    }

    /// `counterfoil held release`.
    struct Release: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lets one held event, or parked work, be tried again now."
        )

        @OptionGroup var option: HomeOption
        @Argument(help: "The event, as `held list` names it.") var event: String

        @Option(help: "Who decides it.")
        var by = ProcessInfo.processInfo.userName

        func run() async throws {
            let found = try await HeldCommand.ask(
                HeldEventReleaseV1(eventId: event, decidedBy: by),
                option.home
            )
            print("\(found.held.type ?? found.held.kind.rawValue) \(event) is tried again at \(found.at)")
        }
    }

    /// `counterfoil held bury`.
    struct Bury: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Moves one held event to the dead letters, so that its subject flows again."
        )

        @OptionGroup var option: HomeOption
        @Argument(help: "The event, as `held list` names it.") var event: String

        @Option(help: "Who decides it.")
        var by = ProcessInfo.processInfo.userName

        func run() async throws {
            let found = try await HeldCommand.ask(
                HeldEventDeadLetterV1(eventId: event, decidedBy: by),
                option.home
            )
            print(
                "\(found.held.type ?? "-") \(event) at \(found.at) is a dead letter; see `counterfoil dead list`"
            )
        }
    }

    /// Asks the partition that has one event.
    private static func ask<Question: Request>(_ question: Question, _ home: Home) async throws -> Row
    where Question.Reply == HeldEvent {
        let unknown = "there is no such held event; see `counterfoil held list`"
        let found = try await PartitionInquiry.find(question, in: home, unknown: unknown)
        return Row(at: found.address, held: found.reply)
    }
}
