import Foundation
import Testing

@testable import Conformance

/// Whatever a command does, the run ends and says what was wrong.
@Suite(.serialized) struct `a command that does not speak the protocol` {
    /// What a shell does in the place of a client, and what the run says of it.
    private static let handlesLaunch = #"read line; echo '{"handled": 1}'; "#

    /// How long a command has for an event: a second where that is what the run speaks of, else as long as it takes.
    private static func limit(_ said: String) -> Duration {
        said.contains("within 1 s") ? .seconds(1) : .seconds(30)
    }

    @Test(arguments: [
        ("exit 3", "ended with exit code 3"),
        ("echo sorry >&2; exit 1", #"ended with exit code 1, after it had said "sorry""#),
        ("kill -ABRT $$", "ended by signal 6"),
        ("exec <&- >&-; sleep 100", "closed its standard"),
        ("sleep 100", "did not write {\"handled\": 1} within 1 s of `launch`"),
        ("echo garbage; sleep 100", "no JSON object (logs belong on standard error): garbage"),
        ("printf 'a\\033[2J\\n'; sleep 100", "(logs belong on standard error): a\\u{1B}[2J"),
        ("yes", "wrote a line that is no JSON object (logs belong on standard error): y"),
        ("tr '\\0' x </dev/zero", "wrote a line of more than 64 KiB"),
        (#"yes '{"show": "ready"}'"#, "wrote more than 1000 lines for one event"),
        ("cat", "wrote a line with none of finish, show, pay, refreshReceipt, handled"),
        (#"echo '{"show": "happy"}'; sleep 100"#, "showed a state that is none of ready, ordering"),
        (#"echo '{"finish": [1]}'; sleep 100"#, "wrote a `finish` that is no transaction id"),
        (#"echo '{"handled": 7}'; sleep 100"#, "wrote that it has handled 7, which no event is called"),
    ])
    func `is called wrong use before any scenario`(script: String, said: String) async throws {
        let command = ["sh", "-c", script]
        let error = await #expect(throws: WrongUse.self) {
            try await Client.play(Scenario.all, command, limit: Self.limit(said))
        }
        #expect(error?.exitCode == 2)
        #expect(error?.description.contains(said) == true, "\(error?.description ?? "")")
    }

    @Test func `is called wrong use where there is no such program`() async throws {
        let error = await #expect(throws: WrongUse.self) {
            try await Client.play(Scenario.all, ["counterfoil-no-such-client"])
        }
        #expect(
            error?.description == "counterfoil-no-such-client cannot be started: No such file or directory"
        )
    }

    /// What a shell does after its launch, what is said of it, and which law it breaks.
    static let later: [(String, String, Law?)] = [
        ("sleep 100", "did not write {\"handled\": 2} within 1 s of `buy`", nil),
        ("read line; exit 4", "ended with exit code 4 before it had handled `buy`", nil),
        (
            #"read line; echo '{"handled": 2}'; while read line; do n=$((n+1)); echo "{\"handled\": $((n+2))}"; done"#,
            "did not let coins.120 be paid", .sellsWhatIsWanted
        ),
    ]

    @Test(arguments: later)
    func `later fails the scenario, with what it did`(
        script: String,
        said: String,
        law: Law?
    ) async throws {
        let command = ["sh", "-c", Self.handlesLaunch + script]
        let result = try await Client.play("plainPurchase", command, limit: Self.limit(said))
        #expect(!result.hasPassed && result.law == law)
        #expect(result.why?.contains(said) == true, "\(result.line)")
    }

    @Test func `is killed with whatever it has started`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "pid-\(UUID().uuidString)")
        let path = file.path(percentEncoded: false)
        let command = ["sh", "-c", "sleep 1000 & echo $! >\(path); wait"]
        await #expect(throws: WrongUse.self) {
            try await Client.play(Scenario.all, command, limit: .seconds(1))
        }
        let pid = try String(contentsOf: file, encoding: .utf8).trimmingCharacters(
            in: .whitespacesAndNewlines
        )
        try FileManager.default.removeItem(at: file)
        // A zombie that nobody has reaped yet has no command line any more.
        let commandLine = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") ?? Data()
        #expect(commandLine.isEmpty)
    }
}
