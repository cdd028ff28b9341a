import Foundation
import Glibc
import NIOConcurrencyHelpers

/// What a client writes on its standard output, line by line.
///
/// A thread reads it. The gateway reads it, too, before it looks at a request: what the client wrote before that is
/// then known before, whatever the threads do.
final class PhoneOutput: Sendable {
    /// Longest line that a client may write, in bytes.
    private static let mostLineBytes = 64 << 10
    /// How much is read in one go: more than the system keeps between the two processes, in parts of this size.
    private static let (mostParts, partBytes) = (32, 64 << 10)

    private struct State {
        var rest: [UInt8] = []
        var hasEnded = false
    }

    private let descriptor: Int32
    private let world: PlayedWorld
    private let life: Int
    private let state = NIOLockedValueBox(State())

    /// Reads from `descriptor`, and closes it at the end.
    init(_ descriptor: Int32, world: PlayedWorld, life: Int) {
        self.descriptor = descriptor
        self.world = world
        self.life = life
    }

    /// Reads until the end, on a thread of its own.
    func start() {
        Thread { [self] in
            var other = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            repeat { poll(&other, 1, -1) } while drain()
            world.ended(life: life)
        }.start()
    }

    /// Reads what is there by now; whether more may come.
    @discardableResult func drain() -> Bool {
        state.withLockedValue { state in
            var buffer = [UInt8](repeating: 0, count: Self.partBytes)
            for _ in 0..<Self.mostParts where !state.hasEnded {
                let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
                if count > 0 {
                    state.rest += buffer[..<count]
                    takeLines(&state.rest)
                } else if count < 0, errno == EAGAIN {
                    break
                } else if count == 0 || errno != EINTR {
                    state.hasEnded = true
                    close(descriptor)
                }
            }
            return !state.hasEnded
        }
    }

    private func takeLines(_ rest: inout [UInt8]) {
        let parts = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for line in parts.dropLast() where !line.isEmpty {
            world.wrote(String(decoding: line, as: UTF8.self), life: life)
        }
        rest = Array(parts.last ?? [])
        guard rest.count > Self.mostLineBytes else { return }
        rest = []
        world.failed(PhoneFault("wrote a line of more than \(Self.mostLineBytes >> 10) KiB"), life: life)
    }
}
