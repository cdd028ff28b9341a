import Foundation
import Glibc
import NIOConcurrencyHelpers
import Testing

@testable import Program

@Suite(.temporaryFolder) struct `what systemd is notified of` {
    /// A datagram socket at a path, as systemd has it; a thread of its own waits at it.
    private final class Listener: Sendable {
        let descriptor: Int32
        /// What was sent to it, one by one.
        let states: AsyncStream<String>

        init(path: String) throws {
            let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            let bound = UnixAddress.with(path) { bind(descriptor, $0, $1) }
            let (states, continuation) = AsyncStream<String>.makeStream()
            self.descriptor = descriptor
            self.states = states
            try #require(bound == 0)
            Thread {
                var buffer = [UInt8](repeating: 0, count: 64)
                while true {
                    let count = recv(descriptor, &buffer, buffer.count, 0)
                    guard count > 0 else { break }
                    continuation.yield(String(decoding: buffer.prefix(count), as: UTF8.self))
                }
                continuation.finish()
                close(descriptor)
            }
            .start()
        }

        deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }

        func receive(_ count: Int) async -> [String] {
            await states.prefix(count).reduce(into: []) { $0.append($1) }
        }
    }

    /// The first states of a program with this heartbeat.
    private static func states(_ count: Int, of heartbeat: @escaping Heartbeat) async throws -> [String] {
        let path = try TemporaryFolder.current() + "/notify"
        let listener = try Listener(path: path)
        let environment = ["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "20000"]
        let notifier = try #require(SystemdNotifier(environment: environment, heartbeat: heartbeat))
        return await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await notifier.run() }
            return await listener.receive(count)
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `it is notified that a program is ready, and after each round through what is owned that it lives`()
        async throws
    {
        let states = try await Self.states(4) { answer in answer() }
        #expect(states == ["READY=1", "WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1"])
    }

    @Test(.timeLimit(.minutes(5)))
    func `a program that does not come round gives no sign of life`() async throws {
        let rounds = NIOLockedValueBox(0)
        let states = try await Self.states(2) { answer in
            let round = rounds.withLockedValue { rounds in
                rounds += 1
                return rounds
            }
            if round > 3 { answer() }
        }
        #expect(states == ["READY=1", "WATCHDOG=1"])
        #expect(rounds.withLockedValue({ $0 }) > 3, "the first three did not come round")
    }

    @Test func `a sign is due twice in the time that systemd waits, if it waits for this process`() {
        #expect(SystemdNotifier.watchdogInterval(["WATCHDOG_USEC": "10000000"], of: 7) == .seconds(5))
        let variables = ["WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "7"]
        #expect(SystemdNotifier.watchdogInterval(variables, of: 7) == .seconds(5))
        for environment in [
            [:], ["WATCHDOG_USEC": "0"], ["WATCHDOG_USEC": "x"],
            ["WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "8"],
        ] {
            #expect(SystemdNotifier.watchdogInterval(environment, of: 7) == nil)
        }
    }

    @Test func `without systemd there is none`() {
        for environment in [[:], ["NOTIFY_SOCKET": ""], ["NOTIFY_SOCKET": "/nowhere/at/all"]] {
            #expect(SystemdNotifier(environment: environment, heartbeat: { $0() }) == nil)
        }
    }
}
