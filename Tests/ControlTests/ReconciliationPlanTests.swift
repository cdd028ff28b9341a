import ArgumentParser
import Contracts
import Foundation
import Program
import TestKit
import Testing

@testable import Control

@Suite struct `what Apple is to be asked` {
    private static let now = Timestamp(milliseconds: 1_767_225_600_000)
    private static let day: Int64 = 24 * 3_600_000
    private static let apps = [
        app("com.example.game", [.production, .sandbox]), app("com.example.trial", [.sandbox]),
    ]

    private static func app(_ bundle: String, _ environments: [Environment]) -> Configuration.App {
        var app = Configuration.App(bundleId: BundleID(unchecked: bundle), keys: [])
        app.environments = environments
        return app
    }

    private static func plan(_ arguments: String) throws -> ReconciliationPlan {
        let command = try ReconcileCommand.parse(arguments.split(separator: " ").map(String.init))
        return try ReconciliationPlan(command, apps: apps, now: now)
    }

    /// The periods whose notifications are asked for.
    private static func periods(_ arguments: String) throws -> [(since: Timestamp, until: Timestamp)] {
        try plan(arguments).steps.compactMap { step in
            if case .serverNotifications(let since, let until) = step.subject { (since, until) } else { nil }
        }
    }

    @Test func `is what it notified in a day of every app and environment, when nothing is said`() throws {
        let steps = try Self.plan("").steps
        let apps = steps.map(\.bundleId.rawValue)
        #expect(apps == ["com.example.game", "com.example.game", "com.example.trial"])
        #expect(steps.map(\.environment) == [.production, .sandbox, .sandbox])
        let day = ReconciliationStartV1.Subject.serverNotifications(
            since: Self.now.advanced(by: -Self.day),
            until: Self.now
        )
        #expect(steps.map(\.subject) == [day, day, day])
    }

    @Test func `is of the app and the environment that are named only`() throws {
        let one = try Self.plan("--app com.example.game --environment sandbox").steps
        #expect(one.map(\.bundleId.rawValue) == ["com.example.game"])
        #expect(one.map(\.environment) == [.sandbox])
        #expect(try Self.plan("--environment production").steps.count == 1)
    }

    @Test func `is since a time, or for so long`() throws {
        let minutes: [String: Int64] = [
            "7d": 10_080, "36h": 2_160, "90m": 90, "2025-12-31T00:00:00Z": 1_440,
            "2025-12-31T01:00:00.000+01:00": 1_440,
        ]
        for (since, minutes) in minutes {
            let period = try Self.periods("--since \(since) --environment production").first
            #expect(period?.since == Self.now.advanced(by: -minutes * 60_000), "\(since)")
        }
    }

    @Test func `is what Apple still keeps, and the operator is told if that is less`() throws {
        let plan = try Self.plan("--since 90d --app com.example.game")
        let periods = try Self.periods("--since 90d --app com.example.game")
        let ago = [90 * Self.day, 30 * Self.day - 3_600_000]
        #expect(periods.map(\.since) == ago.map { Self.now.advanced(by: -$0) })
        #expect(plan.notes.count == 1)
        #expect(plan.notes.first?.hasPrefix("com.example.game Sandbox: Apple keeps") == true)
        #expect(try Self.plan("--since 30d --environment production").notes == [])
        #expect(try Self.plan("--since 181d --environment production").notes.count == 1)
    }

    @Test func `is an order of the apps that are in production, and no notifications besides`() throws {
        let order = ReconciliationStartV1.Subject.order(appleOrderId: "MV123")
        let step = ReconciliationPlan.Step(bundleId: .game, environment: .production, order)
        #expect(try Self.plan("--apple-order MV123").steps == [step])
    }

    @Test func `is a buyer's history, narrowed by a time`() throws {
        let place = ReconciliationPlan.Place(
            bundleID: BundleID(unchecked: "com.example.trial"),
            environment: .sandbox
        )
        for (since, moment) in ["": nil, "--since 1d ": Self.now.advanced(by: -Self.day)]
            as [String: Timestamp?]
        {
            let plan = try Self.plan("--buyer ada \(since)--app com.example.trial")
            #expect(plan.buyer == .ada)
            #expect(plan.places == [place] && plan.since == moment && plan.steps.isEmpty)
        }
        let both = try Self.plan("--buyer ada --apple-order MV123")
        #expect(both.buyer != nil && both.steps.count == 1)
    }

    @Test(arguments: [
        "--since yesterday", "--since 0d", "--since -1d", "--since +1d", "--since d",
        "--since 99999999999999d",
        "--since 1d --apple-order MV123", "--apple-order MV/123", "--apple-order MV123 --environment sandbox",
        "--app a/b", "--environment xcode", "MV123", "--follow a/b", "--follow r-1 --dry-run",
        "--follow r-1 --since 1d",
    ])
    func `is refused by the command line where it makes no sense`(arguments: String) throws {
        let error = try #require(throws: (any Error).self) { try Self.plan(arguments) }
        #expect(ReconcileCommand.exitCode(for: error) == .validationFailure)
    }

    @Test func `is refused where the configuration or the clock says so`() throws {
        let words = [
            "--app com.example.none": "com.example.game, com.example.trial",
            "--app com.example.trial --environment production": "environment",
            "--app com.example.trial --apple-order MV123": "production",
            "--since 2026-01-01T00:00:01Z": "future",
        ]
        for (arguments, word) in words {
            let error = try #require(throws: CommandFailure.self) { try Self.plan(arguments) }
            #expect(error.exitCode == Launch.usageCode)
            #expect(error.description.contains(word))
        }
    }
}
