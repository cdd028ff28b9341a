import ArgumentParser
import Contracts
import Program

struct DelayedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delayed",
        abstract: "Lists delayed events, which are tried again later; releases them, or dead-letters one.",
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
            try await DelayedCommand.find(question, in: option.home)
        }
    }

    /// Asks every partition about one event.
    private static func find<Question: RequestContract>(
        _ question: Question,
        in home: Home
    ) async throws -> Row where Question.Reply == DelayedEvent {
        let unknown = "there is no such delayed event; see `counterfoil delayed list`"
        return try await PartitionInquiry.find(question, as: Row.init, in: home, unknown: unknown)
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
                    ("DUE", { $0.delayed.due?.rfc3339 ?? "-" }),
                    ("AT FIRST", { $0.delayed.firstReason ?? "-" }), ("REASON", \.delayed.reason),
                ],
                rest: Self.rest
            )
        }

        /// How many events and pieces of work a partition has beside those that it lists.
        static func rest(_ status: PartitionStatus, _ listed: [DelayedEvent]) -> Int {
            status.delayed + status.parkedWork - listed.count
        }
    }

    struct Release: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Has delayed events, or parked work, tried again now: one, those of a type, or all.",
            discussion: """
                Many are released one after the other, the oldest first: the 1,000 oldest events of each partition. \
                What waits behind another event of its subject follows once that one has passed. A release that fails \
                counts as one of the event's tries.

                Exit code 0: they were released. 1: there is no such event, or a partition refused. 3: a partition \
                did not answer.
                """
        )

        @OptionGroup var option: HomeOption
        @OptionGroup var decision: DecisionOption

        @Argument(help: "The event, as `delayed list` names it.")
        var event: String?

        @Flag(help: "All delayed events, and all parked work.")
        var all = false

        @Option(help: "All delayed events of this type of message.")
        var type: String?

        func validate() throws {
            let ways = [event != nil, all, type != nil].count { $0 }
            guard ways == 1 else { throw ValidationError("Name one event, --type TYPE, or --all.") }
        }

        func run() async throws {
            if let event {
                let question = DelayedEventReleaseV1(eventId: event, decidedBy: decision.by)
                let found = try await DelayedCommand.find(question, in: option.home)
                print("\(found.type) \(event) is tried again at \(found.at)")
                return
            }
            let report = try await PartitionInquiry.of(option.home) {
                try await DelayedRound(group: $0, decidedBy: decision.by, type: type).carryOut()
            }
            if report.decided > 0 || report.isComplete { print(DelayedRound.text(of: report)) }
            try report.check("the release")
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
