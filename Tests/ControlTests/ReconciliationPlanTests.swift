import ArgumentParser
import Contracts
import Delivery
import Foundation
import Program
import Testing

@testable import Control

@Suite struct `what Apple is to be asked` {
    private static let now = Timestamp(milliseconds: 1_767_225_600_000)
    private static let day: Int64 = 24 * 3_600_000
    private static let apps = [
        app("com.example.game", [.production, .sandbox]), app("com.example.trial", [.sandbox]),
    ]

    private static func app(_ bundle: String, _ environments: [Environment]) -> Configuration.App {
        Configuration.App(bundleId: BundleID(unchecked: bundle), environments: environments, keys: [])
    }

    private static func plan(_ arguments: String) throws -> ReconciliationPlan {
        let command = try ReconcileCommand.parse(arguments.split(separator: " ").map(String.init))
        return try ReconciliationPlan(command.wish(), apps: apps, now: now)
    }

    private static func questions(_ arguments: String) throws -> [AppleAskV1] {
        try plan(arguments).errands.compactMap {
            if case .question(let question) = $0 { question } else { nil }
        }
    }

    @Test func `is what it notified in a day of every app and environment, when nothing is said`() throws {
        let questions = try Self.questions("")
        #expect(questions.map(\.question) == [.notifications, .notifications, .notifications])
        #expect(
            questions.map(\.bundleId.rawValue) == [
                "com.example.game", "com.example.game", "com.example.trial",
            ]
        )
        #expect(questions.map(\.environment) == [.production, .sandbox, .sandbox])
        for question in questions {
            #expect(question.since == Self.now.advanced(by: -Self.day))
            #expect(question.until == Self.now)
        }
    }

    @Test func `is of the app and the environment that are named only`() throws {
        let one = try Self.questions("--app com.example.game --environment sandbox")
        #expect(one.map(\.bundleId.rawValue) == ["com.example.game"])
        #expect(one.map(\.environment) == [.sandbox])
        #expect(try Self.questions("--environment production").count == 1)
    }

    @Test func `is since a time, or for so long`() throws {
        let minutes: [String: Int64] = [
            "7d": 10_080, "36h": 2_160, "90m": 90, "2025-12-31T00:00:00Z": 1_440,
            "2025-12-31T01:00:00.000+01:00": 1_440,
        ]
        for (since, minutes) in minutes {
            let question = try Self.questions("--since \(since) --environment production").first
            #expect(question?.since == Self.now.advanced(by: -minutes * 60_000), "\(since)")
        }
    }

    @Test func `is what Apple still keeps, and the operator is told if that is less`() throws {
        let plan = try Self.plan("--since 90d --app com.example.game")
        let questions = try Self.questions("--since 90d --app com.example.game")
        #expect(
            questions.map(\.since) == [
                Self.now.advanced(by: -90 * Self.day), Self.now.advanced(by: -30 * Self.day + 3_600_000),
            ]
        )
        #expect(plan.notes.count == 1)
        #expect(plan.notes.first?.hasPrefix("com.example.game Sandbox: Apple keeps") == true)
        #expect(try Self.plan("--since 30d --environment production").notes == [])
        #expect(try Self.plan("--since 181d --environment production").notes.count == 1)
    }

    @Test func `is an order of the apps that are in production, and no notifications besides`() throws {
        let game = BundleID(unchecked: "com.example.game")
        #expect(try Self.plan("--apple-order MV123").errands == [.order("MV123", of: [game])])
    }

    @Test func `is a buyer's history, narrowed by a time`() throws {
        let ada = BuyerID(unchecked: "ada")
        let place = ReconciliationErrand.Place(
            bundleID: BundleID(unchecked: "com.example.trial"),
            environment: .sandbox
        )
        #expect(
            try Self.plan("--buyer ada --app com.example.trial").errands
                == [.purchases(of: ada, in: [place], since: nil)]
        )
        let since = Self.now.advanced(by: -Self.day)
        #expect(
            try Self.plan("--buyer ada --since 1d --app com.example.trial").errands
                == [.purchases(of: ada, in: [place], since: since)]
        )
        #expect(try Self.plan("--buyer ada --apple-order MV123").errands.count == 2)
    }

    @Test(arguments: [
        "--since yesterday", "--since 0d", "--since -1d", "--since +1d", "--since d",
        "--since 99999999999999d",
        "--since 1d --apple-order MV123", "--apple-order MV/123", "--apple-order MV123 --environment sandbox",
        "--app a/b", "--environment xcode", "MV123",
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
