import Dispatch
import Foundation
import Glibc
import NIOConcurrencyHelpers
import Program

/// One life of a client: a process group of its own, told of events on its standard input.
final class PhoneProcess: Sendable {
    /// How much of what it said on standard error is kept, in bytes.
    private static let mostErrorBytes = 4 << 10

    /// How long what it said last may be on its way, in seconds.
    private static let lastWordsLimit = 1.0

    let pid: pid_t
    let output: PhoneOutput
    private let input: Int32
    private let errors = NIOLockedValueBox(Data())
    private let errorsEnd = DispatchSemaphore(value: 0)
    private let end = NIOLockedValueBox<Int32?>(nil)

    /// Starts a client; its lines go to `world`, as those of `life`.
    ///
    /// - Throws: `WrongUse` if there is no such program.
    init(_ command: [String], environment: [String: String], world: PlayedWorld, life: Int) throws {
        let input = try Pipe(), output = try Pipe(), errors = try Pipe()
        defer { for descriptor in [input.reading, output.writing, errors.writing] { close(descriptor) } }
        let all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let program = Spawn(executable: command[0], arguments: Array(command.dropFirst()), environment: all)
        do throws(SystemFault) {
            pid = try program.start(with: [
                (input.reading, STDIN_FILENO), (output.writing, STDOUT_FILENO),
                (errors.writing, STDERR_FILENO),
            ])
        } catch {
            for descriptor in [input.writing, output.reading, errors.reading] { close(descriptor) }
            let reason = String(cString: strerror(error.code))
            throw WrongUse(description: "\(command[0]) cannot be started: \(reason)")
        }
        self.input = input.writing
        self.output = PhoneOutput(output.reading, world: world, life: life)
        _ = fcntl(input.writing, F_SETFL, O_NONBLOCK)
        self.output.start()
        readErrors(errors.reading)
    }

    /// Writes a line to it.
    ///
    /// - Throws: `PhoneFault` if it does not read, or has ended.
    func write(_ line: Data, until limit: ContinuousClock.Instant) throws(PhoneFault) {
        var rest = Array(line)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EPIPE {
                throw PhoneFault(ending(afterClosing: "input"))
            } else if errno != EINTR {
                guard .now < limit else { throw PhoneFault("does not read its standard input") }
                var other = pollfd(fd: input, events: Int16(POLLOUT), revents: 0)
                poll(&other, 1, 100)
            }
        }
    }

    /// Ends it and whatever it has started, and waits for that.
    func kill() { _ = reap() }

    /// Kills the process group of a client.
    static func kill(_ pid: pid_t) { Glibc.kill(-pid, SIGKILL) }

    /// How it ended by itself, in words; only after its standard input or output was found closed.
    ///
    /// A process that is ending takes no signal any more: what was killed had only closed that.
    func ending(afterClosing stream: String) -> String {
        let status = reap()
        let signal = status & 0x7F
        if signal == SIGKILL { return "closed its standard \(stream)\(lastWords)" }
        let how = signal == 0 ? "with exit code \((status >> 8) & 0xFF)" : "by signal \(signal)"
        return "ended \(how)\(lastWords)"
    }

    private func reap() -> Int32 {
        end.withLockedValue { end in
            if let end { return end }
            Self.kill(pid)
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0, errno == EINTR {}
            end = status
            close(input)
            return status
        }
    }

    /// The line on its standard error that says most of why it ended.
    private var lastWords: String {
        _ = errorsEnd.wait(timeout: .now() + Self.lastWordsLimit)
        errorsEnd.signal()
        let text = String(decoding: errors.withLockedValue { $0 }, as: UTF8.self)
        return Self.lastWords(of: text).map { ", after it had said \"\(Quote($0))\"" } ?? ""
    }

    /// The last line that names an error, else the last one; not the version that Node.js says after each crash.
    static func lastWords(of text: String) -> String? {
        let lines = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("Node.js v") }
        return (lines.last { $0.contains("Error:") } ?? lines.last).map(String.init)
    }
}

/// What it writes.
extension PhoneProcess {
    /// Two ends, of which a child gets one.
    ///
    /// Sockets are closed in other children from the first moment on; Swift knows no such call for pipes.
    private struct Pipe {
        let reading: Int32
        let writing: Int32

        init() throws {
            let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
            var descriptors: [Int32] = [0, 0]
            guard socketpair(AF_UNIX, type, 0, &descriptors) == 0 else {
                throw PhoneFault("cannot be reached: \(String(cString: strerror(errno)))")
            }
            (reading, writing) = (descriptors[0], descriptors[1])
        }
    }

    private func readErrors(_ descriptor: Int32) {
        Thread { [errors, errorsEnd] in
            Self.readAll(descriptor) { bytes in
                errors.withLockedValue { $0 = Data(($0 + bytes).suffix(Self.mostErrorBytes)) }
            }
            errorsEnd.signal()
        }.start()
    }

    private static func readAll(_ descriptor: Int32, _ take: (ArraySlice<UInt8>) -> Void) {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count > 0 {
                take(buffer[..<count])
            } else if count == 0 || errno != EINTR {
                break
            }
        }
        close(descriptor)
    }
}
