import Contracts
import NIOConcurrencyHelpers
import Program
import TestKit
import ZeroMQ

@testable import Delivery

/// The sending end of a link, in the hands of a test: it may send what no service would.
final class TestSender: Sendable {
    /// Who it says it is: a partition that sends nothing itself.
    static let address = PartitionAddress(.notifications, 0)

    private let target: PartitionAddress
    private let sockets: SocketLoop
    private let socket: SocketID
    private let received = NIOLockedValueBox<[WireHeader]>([])
    private let isConnected = NIOLockedValueBox(false)

    init(to address: PartitionAddress, of home: TestHome) throws {
        target = address
        sockets = try SocketLoop(name: "test")
        let received = received
        let isConnected = isConnected
        socket = try sockets.connect(
            to: Home(root: home.root).endpoints.endpoint(of: address),
            maximumMessageBytes: WireMessage.maximumLinkBytes,
            onConnected: { isConnected.withLockedValue { $0 = true } },
            deliver: { messages in
                let headers = messages.compactMap { WireCoder().decode($0.frames)?.header }
                received.withLockedValue { $0 += headers }
            }
        )
    }

    func shutdown() { sockets.shutdown() }

    /// Attaches, sends the events, and waits until all are settled.
    func deliver(_ events: [[UInt8]]) async throws {
        let attach = LinkFrame.Attach(
            from: Self.address,
            to: target,
            incarnation: "test",
            attempt: 1,
            settled: 0,
            next: UInt64(events.count) + 1
        )
        // What is sent before there is a connection is dropped.
        try await eventually("there is a connection") { isConnected.withLockedValue { $0 } }
        send(WireMessage(WireHeader(.attach(attach))))
        let attached = try await receive("the link is attached") { $0.attached }
        let delivery = LinkFrame.Delivery(
            link: attached.link,
            epoch: attached.epoch,
            sequence: attached.last + 1
        )
        send(WireMessage(WireHeader(.delivery(delivery)), body: events))
        _ = try await receive("all is settled") { header in
            header.settled.flatMap { $0.last == attached.last + UInt64(events.count) ? $0 : nil }
        }
    }

    private func send(_ message: WireMessage) { sockets.send(WireCoder().encode(message), on: socket) }

    private func receive<Value>(_ what: String, _ pick: (WireHeader) -> Value?) async throws -> Value {
        try await eventually(what) { received.withLockedValue { $0 }.lazy.compactMap(pick).first }
    }
}
