import AppStoreSigning
import Contracts
import Foundation
import Glibc
import Program
import TestTraits
import Testing

@testable import Control

@Suite struct `every form of a proof` {
    @Test(arguments: SignedForm.all) func `is answered as it says`(form: SignedForm) throws {
        let example = try form.example()
        let inspector = ProofInspector(
            now: Timestamp(milliseconds: 1_767_225_600_000),
            extraRoots: example.root.map { [$0] } ?? []
        )
        let report = inspector.report(on: Array(example.proof.utf8))
        #expect(report.isValid == (form.refusal == nil))
        #expect(report.reason == form.refusal?.rawValue, "\(report.detail ?? "")")
        let isShown = report.isValid || form.refusal == .unsigned || form.refusal == .unverified
        #expect(report.kind == (isShown ? form.kind.rawValue : nil))
        #expect((report.payload != nil) == isShown)
    }
}

@Suite(.temporaryFolder, .ownThread) struct `the verify command` {
    /// The program beside the one that runs the tests.
    private static let program =
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "counterfoil").path(percentEncoded: false)

    /// Runs the program; what it wrote to standard output, and its exit code.
    private func run(_ arguments: [String], input: String = "") throws -> (lines: [String], end: ProcessEnd) {
        let folder = try TemporaryFolder.current()
        try Data(input.utf8).write(to: URL(filePath: "\(folder)/input"))
        let file = try Descriptor(open("\(folder)/input", O_RDONLY | O_CLOEXEC), from: "open")
        let output = try Descriptor.pair()
        let spawn = Spawn(executable: Self.program, arguments: ["verify"] + arguments, environment: [:])
        let pid = try spawn.start(with: [(file, STDIN_FILENO), (output.theirs, STDOUT_FILENO)])
        let end = ProcessEnd.wait(for: pid)
        let text = String(decoding: output.ours.readAvailable() ?? [], as: UTF8.self)
        return (text.split(separator: "\n").map(String.init), end)
    }

    /// An iOS 6 receipt, whose answer is `unverified` with any roots.
    private static let legacy =
        "eyAicHVyY2hhc2UtaW5mbyIgPSAiZXlBaWRISmhibk5oWTNScGIyNHRhV1FpSUQwZ0lqTXpJanNnZlE9PSI7IH0="

    @Test func `ends with 1 for what is not valid, from a file or standard input`() throws {
        let expected =
            #"{"detail":"its signature proves nothing any more; ask Apple about the transaction","#
            + #""kind":"transactionReceipt","payload":{"transactionId":"33"},"#
            + #""reason":"unverified","valid":false}"#
        let file = try TemporaryFolder.current() + "/proof"
        try Data(Self.legacy.utf8).write(to: URL(filePath: file))
        for (arguments, input) in [([file], ""), (["-"], Self.legacy)] {
            let (lines, end) = try run(arguments, input: input)
            #expect(lines == [expected])
            #expect(end == .exited(1))
        }
    }

    @Test func `ends with 2 when it is used wrongly, and prints nothing`() throws {
        let folder = try TemporaryFolder.current()
        for arguments in [
            [], ["a", "b"], ["--batch", "a"], ["\(folder)/none"], [folder],
            ["--root", "\(folder)/none", "-"],
            ["--root", "\(folder)/input", "-"], ["--environment", "xcode", "-"], ["--at", "yesterday", "-"],
            ["--app-apple-id", "x", "-"], ["--device-id", "x", "-"], ["--unknown", "-"],
        ] {
            let (lines, end) = try run(arguments)
            #expect(end == .exited(2), "\(arguments)")
            #expect(lines == [], "\(arguments)")
        }
    }

    @Test func `answers a batch line by line, each with its file`() throws {
        let folder = try TemporaryFolder.current()
        try Data(Self.legacy.utf8).write(to: URL(filePath: "\(folder)/legacy"))
        let (lines, end) = try run(["--batch"], input: "\(folder)/legacy\n\n\(folder)/none\n\(folder)/input")
        #expect(end == .exited(1))
        let answers = try lines.map {
            try JSONDecoder().decode([String: JSONValue].self, from: Data($0.utf8))
        }
        let files = ["legacy", "none", "input"].map { JSONValue.string("\(folder)/\($0)") }
        #expect(answers.compactMap { $0["file"] } == files)
        let reasons = ["unverified", "malformed", "malformed"].map(JSONValue.string)
        #expect(answers.compactMap { $0["reason"] } == reasons)
        #expect(try run(["--batch"]).end == .exited(0))
    }

    @Test func `ends with 0 for what is valid`() throws {
        let folder = try TemporaryFolder.current()
        let form = try #require(SignedForm.all.first { $0.refusal == nil })
        let example = try form.example()
        try Data(try #require(example.root)).write(to: URL(filePath: "\(folder)/root.der"))
        try Data(example.proof.utf8).write(to: URL(filePath: "\(folder)/proof"))
        let trusting = ["--root", "\(folder)/root.der"]
        let one = try run(trusting + ["\(folder)/proof"])
        #expect(one.end == .exited(0))
        #expect(one.lines.count == 1 && one.lines.first?.contains(#""valid":true"#) == true)
        let many = try run(trusting + ["--batch"], input: "\(folder)/proof\n\(folder)/proof\n")
        #expect(many.end == .exited(0) && many.lines.count == 2)
        #expect(try run(trusting + ["--environment", "sandbox", "\(folder)/proof"]).end == .exited(1))
        #expect(try run(["\(folder)/proof"]).end == .exited(1))
    }
}
