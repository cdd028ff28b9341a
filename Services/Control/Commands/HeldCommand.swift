import ArgumentParser
import Contracts
import Program

struct HeldCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "held",
        abstract: "Lists held events, which are tried again later; releases or dead-letters one.",
        discussion: """
            An event whose handler failed is held, and later ones of its subject queue behind it. Work (a \
            call to Apple, a webhook, a timer's turn) that ended the program again and again is parked; it \
            waits for its release.
            """,
        subcommands: [List.self, Release.self, DeadLetter.self]
    )

    struct Row: Encodable {
        let at: PartitionAddress
        let held: HeldEvent

        /// Such as `counterfoil.order.paid.v1`, or the kind of work that has no type.
        var type: String { held.type ?? held.kind.rawValue }
    }

    struct Target: ParsableArguments {
        @OptionGroup var option: HomeOption
        @OptionGroup var decision: DecisionOption
        @Argument(help: "The event, as `held list` names it.") var event: String

        func ask<Question: RequestContract>(_ question: Question) async throws -> Row
        where Question.Reply == HeldEvent {
            let unknown = "there is no such held event; see `counterfoil held list`"
            return try await PartitionInquiry.find(question, as: Row.init, in: option.home, unknown: unknown)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the held events and the parked work of all partitions."
        )

        @OptionGroup var options: ListOptions

        func run() async throws {
            try await options.show(
                HeldEventsListV1(),
                as: Row.init,
                none: "nothing is held",
                columns: [
                    ("EVENT", \.held.eventId), ("TIME", \.held.time.rfc3339), ("AT", \.at.description),
                    ("TYPE", \.type), ("SUBJECT", { $0.held.subject ?? "-" }),
                    ("TRIES", { $0.held.attempts.map(String.init) ?? "-" }),
                    ("DUE", { $0.held.due?.rfc3339 ?? "-" }), ("REASON", \.held.reason),
                ]
            )
        }
    }

    struct Release: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lets one held event, or parked work, be tried again now."
        )

        @OptionGroup var target: Target

        func run() async throws {
            let question = HeldEventReleaseV1(eventId: target.event, decidedBy: target.decision.by)
            let found = try await target.ask(question)
            print("\(found.type) \(target.event) is tried again at \(found.at)")
        }
    }

    struct DeadLetter: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Moves one held event to the dead letters, so that its subject flows again."
        )

        @OptionGroup var target: Target

        func run() async throws {
            let question = HeldEventDeadLetterV1(eventId: target.event, decidedBy: target.decision.by)
            let found = try await target.ask(question)
            print(
                "\(found.type) \(target.event) at \(found.at) is a dead letter; see `counterfoil dead list`"
            )
        }
    }
}
