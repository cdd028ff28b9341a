import Foundation
import Glibc
import Testing

@testable import Control
@testable import Program

@Suite struct `the bond with systemd` {
    /// A datagram socket at a path, as systemd has it.
    private final class Listener {
        let descriptor: Int32

        init(path: String) throws {
            descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let bound = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(bound == 0)
        }

        deinit { close(descriptor) }

        func word() -> String? {
            var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&polled, 1, 30_000) == 1 else { return nil }
            var buffer = [UInt8](repeating: 0, count: 64)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        }
    }

    @Test(.temporaryFolder, .timeLimit(.minutes(2)))
    func `it hears that a program is ready, and after each round through what is owned that it lives`()
        async throws
    {
        let path = try TemporaryFolder.current() + "/notify"
        let listener = try Listener(path: path)
        let environment = ["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "20000"]
        let made = SystemdNotifier(environment: environment, heartbeat: { answer in answer() })
        let notifier = try #require(made)
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await notifier.run() }
            #expect(listener.word() == "READY=1")
            for _ in 0..<3 { #expect(listener.word() == "WATCHDOG=1") }
            group.cancelAll()
        }
    }

    @Test(.temporaryFolder, .timeLimit(.minutes(2)))
    func `a program that does not come round gives no sign of life`() async throws {
        let path = try TemporaryFolder.current() + "/notify"
        let listener = try Listener(path: path)
        let (rounds, continuation) = AsyncStream<Void>.makeStream()
        let environment = ["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "20000"]
        let made = SystemdNotifier(environment: environment, heartbeat: { _ in continuation.yield() })
        let notifier = try #require(made)
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await notifier.run() }
            #expect(listener.word() == "READY=1")
            var asked = 0
            for await _ in rounds {
                asked += 1
                if asked == 3 { break }
            }
            var polled = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
            #expect(poll(&polled, 1, 0) == 0)
            group.cancelAll()
        }
    }

    @Test func `a sign is due twice in the time that systemd waits, if it waits for this process`() {
        #expect(SystemdNotifier.pause(["WATCHDOG_USEC": "10000000"], of: 7) == .seconds(5))
        #expect(
            SystemdNotifier.pause(["WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "7"], of: 7) == .seconds(5)
        )
        for environment in [
            [:], ["WATCHDOG_USEC": "0"], ["WATCHDOG_USEC": "x"],
            ["WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "8"],
        ] {
            #expect(SystemdNotifier.pause(environment, of: 7) == nil)
        }
    }

    @Test func `without systemd there is none`() {
        for environment in [[:], ["NOTIFY_SOCKET": ""], ["NOTIFY_SOCKET": "/nowhere/at/all"]] {
            #expect(SystemdNotifier(environment: environment, heartbeat: { $0() }) == nil)
        }
    }
}
