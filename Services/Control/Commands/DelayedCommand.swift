import ArgumentParser
import Contracts
import Program

struct DelayedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delayed",
        abstract: "Lists delayed events, which are tried again later; releases or dead-letters one.",
        discussion: """
            An event whose handler failed is delayed, and later ones of its subject queue behind it. Work (a \
            call to Apple, a webhook, a timer's turn) that ended the program again and again is parked; it \
            waits for its release.
            """,
        subcommands: [List.self, Release.self, DeadLetter.self]
    )

    struct Row: Encodable {
        let at: PartitionAddress
        let delayed: DelayedEvent

        /// Such as `counterfoil.order.paid.v1`, or the kind of work that has no type.
        var type: String { delayed.type ?? delayed.kind.rawValue }
    }

    struct Target: ParsableArguments {
        @OptionGroup var option: HomeOption
        @OptionGroup var decision: DecisionOption
        @Argument(help: "The event, as `delayed list` names it.") var event: String

        func ask<Question: RequestContract>(_ question: Question) async throws -> Row
        where Question.Reply == DelayedEvent {
            let unknown = "there is no such delayed event; see `counterfoil delayed list`"
            return try await PartitionInquiry.find(question, as: Row.init, in: option.home, unknown: unknown)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the delayed events and the parked work of all partitions."
        )

        @OptionGroup var options: ListOptions

        func run() async throws {
            try await options.show(
                DelayedEventsListV1(),
                as: Row.init,
                none: "nothing is delayed",
                columns: [
                    ("EVENT", \.delayed.eventId), ("TIME", \.delayed.time.rfc3339), ("AT", \.at.description),
                    ("TYPE", \.type), ("SUBJECT", { $0.delayed.subject ?? "-" }),
                    ("TRIES", { $0.delayed.attempts.map(String.init) ?? "-" }),
                    ("DUE", { $0.delayed.due?.rfc3339 ?? "-" }), ("REASON", \.delayed.reason),
                ],
                rest: { status, listed in status.delayed - listed.count { $0.kind == .event } }
            )
        }
    }

    struct Release: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lets one delayed event, or parked work, be tried again now."
        )

        @OptionGroup var target: Target

        func run() async throws {
            let question = DelayedEventReleaseV1(eventId: target.event, decidedBy: target.decision.by)
            let found = try await target.ask(question)
            print("\(found.type) \(target.event) is tried again at \(found.at)")
        }
    }

    struct DeadLetter: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Moves one delayed event to the dead letters, so that its subject flows again."
        )

        @OptionGroup var target: Target

        func run() async throws {
            let question = DelayedEventDeadLetterV1(eventId: target.event, decidedBy: target.decision.by)
            let found = try await target.ask(question)
            print(
                "\(found.type) \(target.event) at \(found.at) is a dead letter; see `counterfoil dead list`"
            )
        }
    }
}
