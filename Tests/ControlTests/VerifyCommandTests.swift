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
    /// A file, what is asked of it, and the answer: its kind where it is valid, else a reason.
    typealias Row = (file: String, asked: String, answer: String)

    private static let kinds = ["notification", "renewalInfo", "transaction", "appReceipt"]
    private static let jws = "apple-mock/jws"
    private static let xcode = "apple-mock/xcode/xcode"
    private static let own = "--bundle-id com.example --app-apple-id 1234 --environment"
    private static let renewal = "apple-real/renewalInfo_sandbox_2023.jws"
    private static let receipt = "apple-real/app-receipt-sandbox-g5.b64"
    private static let device = "--device-id 956328D9-CC6A-47F4-BE40-6953FB0AB6C"

    static let mock: [Row] = [
        ("\(jws)/testNotification", "", "notification"),
        ("\(jws)/testNotification", "\(own) sandbox", "notification"),
        ("\(jws)/testNotification", "\(own) production", "wrongEnvironment"),
        ("\(jws)/testNotification", "\(own.replacing("1234", with: "1235")) production", "wrongApp"),
        ("\(jws)/testNotification", "--at 2042-04-12T04:27:26Z", "expiredCertificate"),
        ("\(jws)/renewalInfo", "", "renewalInfo"),
        ("\(jws)/renewalInfo", "--bundle-id com.example.x", "renewalInfo"),
        ("\(jws)/transactionInfo", "", "transaction"),
        ("\(jws)/transactionInfo", "--bundle-id com.example.x", "wrongApp"),
        ("\(jws)/wrongBundleId", "", "notification"),
        ("\(jws)/wrongBundleId", "--bundle-id com.example", "wrongApp"),
        ("\(jws)/missingX5CHeaderClaim", "", "malformed"),
        ("\(jws)/legacyTransaction", "", "unverified"),
        ("\(xcode)-signed-transaction", "", "unsigned"),
        ("\(xcode)-signed-renewal-info", "", "unsigned"),
        ("\(xcode)-signed-app-transaction", "", "unsigned"),
        ("\(xcode)-app-receipt-empty", "", "unsigned"),
        ("\(xcode)-app-receipt-with-transaction", "", "unsigned"),
    ]

    static let real: [Row] = [
        ("\(jws)/transactionInfo", "", "untrusted"),
        (renewal, "", "renewalInfo"), (renewal, "--environment sandbox", "renewalInfo"),
        (renewal, "--at now", "expiredCertificate"),
        (receipt, "--bundle-id dev.bonzer.weeka.app --environment sandbox \(device)7", "appReceipt"),
        (receipt, "--bundle-id dev.bonzer.weeka", "wrongApp"),
        (receipt, "--environment production", "wrongEnvironment"), (receipt, "\(device)8", "wrongApp"),
        (receipt, "--at 2042-04-12T04:27:26Z", "expiredCertificate"),
    ]

    /// Certificates, and the bodies of Apple's answers, are no proofs.
    static let others: [Row] = {
        do {
            let folders = ["apple-mock/chains", "apple-mock/models"]
            return try folders.flatMap { folder in
                try FileManager.default.contentsOfDirectory(atPath: "\(VerifyVectors.folder)/\(folder)")
                    .map { ("\(folder)/\($0)", "", "malformed") }
            }
        } catch {
            return []
        }
    }()

    private func report(_ file: String, _ options: String = "") throws -> VerificationReport {
        let options = options.split(separator: " ").map(String.init)
        let command = try VerifyCommand.parse(options + ["\(VerifyVectors.folder)/\(file)"])
        let now = Timestamp(milliseconds: 1_761_962_975_000)
        return try command.inspector(now: now).report(on: ProofFile.read(command.file ?? ""))
    }

    private func check(_ row: Row, _ roots: String = "") throws {
        let report = try report(row.file, "\(roots) \(row.asked)")
        let isValid = Self.kinds.contains(row.answer)
        #expect(report.isValid == isValid)
        #expect(report.reason == (isValid ? nil : row.answer), "\(report.detail ?? "")")
        if isValid { #expect(report.kind == row.answer) }
        #expect((report.payload != nil) == (isValid || ["unsigned", "unverified"].contains(row.answer)))
    }

    @Test(arguments: mock + others)
    func `with the synthetic root, and what is no proof`(file: String, asked: String, answer: String) throws {
        try check((file, asked, answer), VerifyVectors.mockRoot)
    }

    @Test(arguments: real)
    func `with Apple's roots alone`(file: String, asked: String, answer: String) throws {
        try check((file, asked, answer))
    }

    @Test func `and says what it holds`() throws {
        let receipt = try report(Self.receipt)
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
        let legacy = try report("\(Self.jws)/legacyTransaction")
        #expect(legacy.payload == .object(["transactionId": .string("33993399")]))
    }
}

@Suite(.temporaryFolder) struct `the verify command` {
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
        let spawn = Spawn(
            executable: Self.program,
            arguments: ["verify"] + arguments,
            environment: [:],
            descriptors: [(file, STDIN_FILENO), (output.theirs, STDOUT_FILENO)]
        )
        let end = ProcessEnd.wait(for: try spawn.start())
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

    @Test(
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
