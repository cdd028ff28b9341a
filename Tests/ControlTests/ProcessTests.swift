import Glibc
import TestTraits
import Testing

@testable import Control
@testable import Program

@Suite(.ownThread) struct `starting programs` {
    /// Runs a shell script with these descriptors; what it wrote and how it ended.
    private static func run(
        _ script: String,
        environment: [String: String] = [:]
    ) throws -> (String, ProcessEnd) {
        let output = try Descriptor.pair()
        let spawn = Spawn(executable: "/bin/sh", arguments: ["-c", script], environment: environment)
        let end = ProcessEnd.wait(for: try spawn.start(with: [(output.theirs, STDOUT_FILENO)]))
        return (String(decoding: output.ours.readAvailable() ?? [], as: UTF8.self), end)
    }

    @Test func `a child has the descriptors that it was given, and no other`() throws {
        let other = try Descriptor.pair()
        let numbers = "1 \(other.ours.number) \(other.theirs.number)"
        let look = "for n in \(numbers); do [ -e /proc/$$/fd/$n ] && echo $n; done; exit 0"
        let (listing, end) = try withExtendedLifetime(other) { try Self.run(look) }
        #expect(end == .exited(0))
        #expect(listing == "1\n")
    }

    @Test func `a child has the environment that it was given, and no other`() throws {
        let (text, _) = try Self.run("echo $GREETING:$HOME", environment: ["GREETING": "hello"])
        #expect(text == "hello:\n")
    }

    @Test func `signals that we ignore do end a child`() throws {
        signal(SIGPIPE, SIG_IGN)
        let (_, end) = try Self.run("kill -PIPE $$; exit 0")
        #expect(end == .signaled(SIGPIPE))
    }

    @Test func `a program that is missing is reported, with the system's reason`() {
        let spawn = Spawn(executable: "/none", arguments: [], environment: [:])
        #expect(throws: SystemFault("posix_spawn", "/none", code: ENOENT)) { try spawn.start() }
    }

    @Test func `a descriptor that is none is reported, not left out`() {
        let spawn = Spawn(executable: "/bin/true", arguments: [], environment: [:])
        #expect(throws: SystemFault("dup2", code: EBADF)) { try spawn.start(with: [(-1, STDOUT_FILENO)]) }
    }

    @Test func `a name without a folder is searched as a shell searches it`() throws {
        let pid = try Spawn(executable: "true", arguments: [], environment: [:]).start()
        #expect(ProcessEnd.wait(for: pid) == .exited(0))
    }
}

@Suite struct `the watchdog of the parent` {
    @Test(.timeLimit(.minutes(5)))
    func `a byte is answered after a round through what is owned`() async throws {
        let (ours, theirs) = try Descriptor.pair()
        let environment = [ParentWatchdog.environmentVariable: String(theirs.number)]
        let made = ParentWatchdog(environment: environment, heartbeat: { answer in answer() })
        let watchdog = try #require(made)
        await withTaskGroup { group in
            group.addTask { await watchdog.run() }
            ours.sendAtOnce([1])
            // The watchdog may need this thread, so it is blocked for a moment at a time only.
            while !ours.isReadable(within: 10) { await Task.yield() }
            #expect(ours.readAvailable()?.count == 1)
            group.cancelAll()
        }
        // Never closed: without `up` the watchdog ends its process, which runs the other tests.
        for end in [ours, theirs] { _ = Unmanaged.passRetained(end) }
    }

    @Test func `without up there is none`() {
        for environment in [
            [:], [ParentWatchdog.environmentVariable: "x"], [ParentWatchdog.environmentVariable: "9999"],
        ] {
            #expect(ParentWatchdog(environment: environment, heartbeat: { $0() }) == nil)
        }
    }
}

@Suite struct `lines of a log` {
    @Test func `bytes become lines, wherever they are cut`() {
        let bytes = Array("one\ntwo\n\nthree".utf8)
        for cut in 0...bytes.count {
            var splitter = LineSplitter()
            let lines = splitter.add(bytes[..<cut]) + splitter.add(bytes[cut...])
            #expect(lines == ["one", "two", ""])
            #expect(splitter.finish() == ["three"])
            #expect(splitter.finish() == [])
        }
    }

    @Test func `a line without end is cut, and nothing of it is lost`() {
        var splitter = LineSplitter()
        let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: LineSplitter.maximumLine + 1)
        #expect(splitter.add(bytes).map(\.utf8.count) == [LineSplitter.maximumLine])
        #expect(splitter.finish() == ["x"])
    }

    @Test(.temporaryFolder) func `the ends of logs are shown first, then what is added`() throws {
        let folder = try TemporaryFolder.current()
        func add(_ text: String, to name: String) throws {
            let log = try LogFile(path: "\(folder)/\(name)")
            log.add(text)
        }
        for number in 1...5 { try add("line \(number)", to: "orders.0.log") }
        try add("hello", to: "gateway.0.log")
        var tails = LogTails(folder: folder, service: "orders", lines: 2)
        #expect(try tails.next() == ["orders.0 | line 4", "orders.0 | line 5"])
        #expect(try tails.next() == [])
        try add("line 6", to: "orders.0.log")
        try add("line 1", to: "orders.1.log")
        #expect(try tails.next() == ["orders.0 | line 6", "orders.1 | line 1"])
    }
}
