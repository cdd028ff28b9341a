import Foundation
import Glibc
import Testing

@testable import Control
@testable import Program

@Suite struct `the bond with systemd` {
    /// A datagram socket at a path, as systemd has it; a thread of its own waits at it.
    private final class Listener: Sendable {
        let descriptor: Int32
        /// What it has heard, word by word.
        let words: AsyncStream<String>

        init(path: String) throws {
            let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let bound = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            let (words, continuation) = AsyncStream<String>.makeStream()
            self.descriptor = descriptor
            self.words = words
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

        func hear(_ count: Int) async -> [String] {
            var heard: [String] = []
            for await word in words {
                heard.append(word)
                if heard.count == count { break }
            }
            return heard
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
            #expect(await listener.hear(4) == ["READY=1", "WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1"])
            group.cancelAll()
        }
    }

    @Test(.temporaryFolder, .timeLimit(.minutes(2)))
    func `a program that does not come round gives no sign of life`() async throws {
        let path = try TemporaryFolder.current() + "/notify"
        let listener = try Listener(path: path)
        let rounds = Rounds()
        let environment = ["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "20000"]
        let made = SystemdNotifier(
            environment: environment,
            heartbeat: { answer in if rounds.next() > 3 { answer() } }
        )
        let notifier = try #require(made)
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await notifier.run() }
            #expect(await listener.hear(2) == ["READY=1", "WATCHDOG=1"])
            #expect(rounds.count > 3, "the first three did not come round")
            group.cancelAll()
        }
    }

    /// Counts the rounds that were begun.
    private final class Rounds: @unchecked Sendable {  // the count is guarded by the lock
        private let lock = NSLock()
        private var begun = 0

        var count: Int { lock.withLock { begun } }

        func next() -> Int {
            lock.withLock {
                begun += 1
                return begun
            }
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
