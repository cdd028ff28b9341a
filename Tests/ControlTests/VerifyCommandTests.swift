import ArgumentParser
import Contracts
import Foundation
import Glibc
import Testing

@testable import Control

/// Apple's vectors, read where they lie beside the repository.
private enum VerifyVectors {
    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "shared/vectors").path(percentEncoded: false)

    static let areThere = FileManager.default.fileExists(atPath: folder)
    static let mockRoot = "--root \(folder)/apple-mock/testCA.der"
}

@Suite(.enabled(if: VerifyVectors.areThere, "Apple's vectors are not beside the repository"))
struct `every vector is answered as its README says` {
    /// A file, what is asked of it, and the answer: a kind where it is valid, else a reason.
    struct Row: Sendable, CustomTestStringConvertible {
        let file: String
        var asked = ""
        var kind: String?
        var reason: String?

        var testDescription: String { "\(file) \(asked)" }
    }

    static let mock: [Row] = [
        Row(file: "apple-mock/jws/testNotification", kind: "notification"),
        Row(
            file: "apple-mock/jws/testNotification",
            asked: "--bundle-id com.example --app-apple-id 1234 --environment sandbox",
            kind: "notification"
        ),
        Row(
            file: "apple-mock/jws/testNotification",
            asked: "--bundle-id com.example --app-apple-id 1234 --environment production",
            reason: "wrongEnvironment"
        ),
        Row(
            file: "apple-mock/jws/testNotification",
            asked: "--bundle-id com.example --app-apple-id 1235 --environment production",
            reason: "wrongApp"
        ),
        Row(
            file: "apple-mock/jws/testNotification",
            asked: "--at 2042-04-12T04:27:26Z",
            reason: "expiredCertificate"
        ),
        Row(file: "apple-mock/jws/renewalInfo", kind: "renewalInfo"),
        Row(file: "apple-mock/jws/renewalInfo", asked: "--bundle-id com.example.x", kind: "renewalInfo"),
        Row(file: "apple-mock/jws/transactionInfo", kind: "transaction"),
        Row(file: "apple-mock/jws/transactionInfo", asked: "--bundle-id com.example.x", reason: "wrongApp"),
        Row(file: "apple-mock/jws/wrongBundleId", kind: "notification"),
        Row(file: "apple-mock/jws/wrongBundleId", asked: "--bundle-id com.example", reason: "wrongApp"),
        Row(file: "apple-mock/jws/missingX5CHeaderClaim", reason: "malformed"),
        Row(file: "apple-mock/jws/legacyTransaction", reason: "unverified"),
        Row(file: "apple-mock/xcode/xcode-signed-transaction", reason: "unsigned"),
        Row(file: "apple-mock/xcode/xcode-signed-renewal-info", reason: "unsigned"),
        Row(file: "apple-mock/xcode/xcode-signed-app-transaction", reason: "unsigned"),
        Row(file: "apple-mock/xcode/xcode-app-receipt-empty", reason: "unsigned"),
        Row(file: "apple-mock/xcode/xcode-app-receipt-with-transaction", reason: "unsigned"),
    ]

    static let real: [Row] = [
        Row(file: "apple-mock/jws/transactionInfo", reason: "untrusted"),
        Row(file: "apple-real/renewalInfo_sandbox_2023.jws", kind: "renewalInfo"),
        Row(
            file: "apple-real/renewalInfo_sandbox_2023.jws",
            asked: "--environment sandbox",
            kind: "renewalInfo"
        ),
        Row(file: "apple-real/renewalInfo_sandbox_2023.jws", asked: "--at now", reason: "expiredCertificate"),
        Row(
            file: "apple-real/app-receipt-sandbox-g5.b64",
            asked: "--bundle-id dev.bonzer.weeka.app --environment sandbox "
                + "--device-id 956328D9-CC6A-47F4-BE40-6953FB0AB6C7",
            kind: "appReceipt"
        ),
        Row(
            file: "apple-real/app-receipt-sandbox-g5.b64",
            asked: "--bundle-id dev.bonzer.weeka",
            reason: "wrongApp"
        ),
        Row(
            file: "apple-real/app-receipt-sandbox-g5.b64",
            asked: "--environment production",
            reason: "wrongEnvironment"
        ),
        Row(
            file: "apple-real/app-receipt-sandbox-g5.b64",
            asked: "--device-id 956328D9-CC6A-47F4-BE40-6953FB0AB6C8",
            reason: "wrongApp"
        ),
        Row(
            file: "apple-real/app-receipt-sandbox-g5.b64",
            asked: "--at 2042-04-12T04:27:26Z",
            reason: "expiredCertificate"
        ),
    ]

    /// Certificates, and the bodies of Apple's answers, are no proofs.
    static let others: [Row] = {
        do {
            let folders = ["apple-mock/chains", "apple-mock/models"]
            return try folders.flatMap { folder in
                try FileManager.default.contentsOfDirectory(atPath: "\(VerifyVectors.folder)/\(folder)")
                    .map { Row(file: "\(folder)/\($0)", reason: "malformed") }
            }
        } catch {
            return []
        }
    }()

    private func report(_ row: Row, _ roots: String) throws -> VerificationReport {
        let options = "\(roots) \(row.asked)".split(separator: " ").map(String.init)
        let command = try VerifyCommand.parse(options + ["\(VerifyVectors.folder)/\(row.file)"])
        let now = Timestamp(milliseconds: 1_761_962_975_000)
        return try command.inspector(now: now).report(on: ProofFile.read(command.file ?? ""))
    }

    private func expect(_ row: Row, _ report: VerificationReport) {
        #expect(report.isValid == (row.reason == nil))
        #expect(report.reason == row.reason, "\(report.detail ?? "")")
        if let kind = row.kind { #expect(report.kind == kind) }
        let isShown = report.isValid || report.reason == "unsigned" || report.reason == "unverified"
        #expect((report.payload != nil) == isShown)
    }

    @Test(arguments: mock) func `with the synthetic root`(row: Row) throws {
        expect(row, try report(row, VerifyVectors.mockRoot))
    }

    @Test(arguments: real) func `with Apple's roots alone`(row: Row) throws {
        expect(row, try report(row, ""))
    }

    @Test(arguments: others) func `which is no proof`(row: Row) throws {
        expect(row, try report(row, VerifyVectors.mockRoot))
    }

    @Test func `and says what it holds`() throws {
        let receipt = try report(Row(file: "apple-real/app-receipt-sandbox-g5.b64"), "")
        guard case .object(let payload) = receipt.payload, case .array(let rows) = payload["inApp"] else {
            Issue.record("no receipt")
            return
        }
        #expect(receipt.environment == "Sandbox")
        #expect(payload["bundleId"] == .string("dev.bonzer.weeka.app"))
        #expect(payload["applicationVersion"] == .string("2"))
        #expect(payload["creationDate"] == .string("2025-12-26T18:39:47Z"))
        let ids = rows.compactMap { row -> JSONValue? in
            if case .object(let members) = row { members["transaction_id"] } else { nil }
        }
        #expect(Set(ids) == [.string("2000001092134138"), .string("2000001092148094")])
        let legacy = try report(Row(file: "apple-mock/jws/legacyTransaction"), "")
        #expect(legacy.payload == .object(["transactionId": .string("33993399")]))
    }
}

@Suite struct `the verify command` {
    /// The program beside the one that runs the tests.
    private static let program =
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "counterfoil").path(percentEncoded: false)

    /// Runs the program; what it wrote to standard output, and its exit code.
    private func run(_ arguments: [String], input: String = "") throws -> (lines: [String], end: ProcessEnd) {
        let folder = try TemporaryFolder.current()
        let names = ["\(folder)/input", "\(folder)/output"]
        try Data(input.utf8).write(to: URL(filePath: names[0]))
        try Data().write(to: URL(filePath: names[1]))
        let files = [open(names[0], O_RDONLY | O_CLOEXEC), open(names[1], O_WRONLY | O_CLOEXEC)]
        defer { for file in files { close(file) } }
        let spawn = Spawn(
            executable: Self.program,
            arguments: ["verify"] + arguments,
            environment: [:],
            descriptors: [(files[0], STDIN_FILENO), (files[1], STDOUT_FILENO)]
        )
        let pid = try spawn.start().get()
        var status: Int32 = 0
        waitpid(pid, &status, 0)
        let output = String(decoding: try Data(contentsOf: URL(filePath: names[1])), as: UTF8.self)
        return (output.split(separator: "\n").map(String.init), ProcessEnd(waitStatus: status))
    }

    /// An iOS 6 receipt, whose answer is `unverified` with any roots.
    private static let legacy =
        "eyAicHVyY2hhc2UtaW5mbyIgPSAiZXlBaWRISmhibk5oWTNScGIyNHRhV1FpSUQwZ0lqTXpJanNnZlE9PSI7IH0="

    @Test(.temporaryFolder) func `ends with 1 for what is not valid, from a file or standard input`() throws {
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

    @Test(.temporaryFolder) func `ends with 2 when it is used wrongly, and prints nothing`() throws {
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

    @Test(.temporaryFolder) func `answers a batch line by line, each with its file`() throws {
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

    @Test(
        .temporaryFolder,
        .enabled(if: VerifyVectors.areThere, "Apple's vectors are not beside the repository")
    )
    func `ends with 0 for what is valid`() throws {
        let genuine = "\(VerifyVectors.folder)/apple-real/renewalInfo_sandbox_2023.jws"
        let one = try run([genuine])
        #expect(one.end == .exited(0))
        #expect(one.lines.count == 1 && one.lines.first?.contains(#""valid":true"#) == true)
        let many = try run(["--batch"], input: "\(genuine)\n\(genuine)\n")
        #expect(many.end == .exited(0) && many.lines.count == 2)
        let wrong = try run(["--environment", "production", genuine])
        #expect(wrong.end == .exited(1))
        let mock = "\(VerifyVectors.folder)/apple-mock"
        let rooted = try run(["--root", "\(mock)/testCA.der", "\(mock)/jws/transactionInfo"])
        #expect(rooted.end == .exited(0))
    }
}
