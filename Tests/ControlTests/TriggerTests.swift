import ArgumentParser
import Contracts
import Foundation
import HTTPClient
import NIOConcurrencyHelpers
import Testing

@testable import Control

@Suite struct `a triggered event` {
    private static func call(
        _ status: Int,
        _ body: String,
        _ calls: NIOLockedValueBox<[HTTPCall]> = NIOLockedValueBox([])
    ) -> SimulatorCall {
        var call = SimulatorCall(url: "http://127.0.0.1:8090")
        call.send = { sent async throws(HTTPFailure) in
            calls.withLockedValue { $0.append(sent) }
            return HTTPAnswer(status: status, body: Array(body.utf8))
        }
        return call
    }

    @Test func `is asked of the simulator's control interface, and its answer is told`() async throws {
        let calls = NIOLockedValueBox<[HTTPCall]>([])
        let body = """
            {"transactions": [{"transactionId": "2", "signedTransaction": "e30"}],
            "notifications": [{"notificationUUID": "u", "notificationType": "DID_RENEW", "signedPayload": "e30"}]}
            """
        let request = SimulatorCall.Request(event: "renew", transactionId: "1")
        let answer = try await Self.call(200, body, calls).perform(request)
        #expect(answer.text(of: .renew, on: "1") == "renew of 1; transaction 2; told: DID_RENEW")
        let call = try #require(calls.withLockedValue { $0 }.first)
        #expect(call.method == "POST" && call.url == "http://127.0.0.1:8090/_control/events")
        let sent = try JSONDecoder().decode([String: String].self, from: Data(call.content ?? []))
        #expect(sent == ["event": "renew", "transactionId": "1"])
    }

    @Test(arguments: TriggeredEvent.allCases)
    func `has a name that the simulator knows`(event: TriggeredEvent) throws {
        let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "AppStoreSimulator/Routes/EventRequest.swift")
        let text = try String(contentsOf: source, encoding: .utf8)
        let names = text.matches(of: /(?m)^ +case ([a-zA-Z, ]+)$/).flatMap { match in
            match.1.split(separator: ", ")
        }
        #expect(names.count > 20 && names.contains(Substring(event.simulatorName)))
    }

    @Test func `of which nobody is told says so`() async throws {
        let answer = try await Self.call(200, #"{"transactions": []}"#)
            .perform(SimulatorCall.Request(event: "refund", transactionId: "1"))
        #expect(answer.text(of: .refund, on: "1").hasPrefix("refund of 1; nobody is told"))
    }

    @Test(arguments: [
        (404, #"{"detail": "transactionId was not sold here"}"#, "refuses: transactionId was not sold here"),
        (409, "no JSON", "refuses: 409, and does not say why"),
        (200, "<html>", "is no App Store simulator"),
    ])
    func `that cannot be done fails with the reason`(status: Int, body: String, reason: String) async {
        let request = SimulatorCall.Request(event: "refund", transactionId: "1")
        let failure = await #expect(throws: CommandFailure.self) {
            try await Self.call(status, body).perform(request)
        }
        #expect(failure?.description.contains(reason) == true)
    }

    @Test func `needs a simulator that runs`() async {
        var call = SimulatorCall(url: "http://127.0.0.1:8090")
        call.send = { _ async throws(HTTPFailure) in throw .notConnected }
        let failure = await #expect(throws: CommandFailure.self) {
            try await call.perform(SimulatorCall.Request(event: "refund", transactionId: "1"))
        }
        #expect(failure?.description.hasSuffix("(notConnected); does it run?") == true)
        #expect(failure?.exitCode == 3)
    }

    @Test(arguments: [
        ["refund"], ["refund", "--order", "1"], ["burn", "--transaction", "1"],
        ["refund", "--order", "01a1fdb2-5c6a-8ca8-a308-b7439f4caf90", "--transaction", "1"],
        ["upgrade", "--transaction", "1"], ["refund", "--transaction", "1", "--product", "vip.year"],
        ["renew", "--transaction", "1", "--grace-days", "3"],
    ])
    func `that is not fully or contradictorily named is wrong usage`(arguments: [String]) {
        #expect(throws: (any Error).self) { try TriggerCommand.parse(arguments) }
    }

    @Test(arguments: [
        ["refund", "--order", "01a1fdb2-5c6a-8ca8-a308-b7439f4caf90"], ["consumption", "--transaction", "1"],
        ["upgrade", "--transaction", "1", "--product", "vip.year"],
        ["fail-to-renew", "--transaction", "1", "--grace-days", "3"],
    ])
    func `is named with what belongs to it`(arguments: [String]) throws {
        _ = try TriggerCommand.parse(arguments)
    }
}
