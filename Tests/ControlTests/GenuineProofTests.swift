import ArgumentParser
import Contracts
import Foundation
import TestKit
import Testing

@testable import Control

@Suite(.enabled(if: Vectors.areThere, "no vectors"))
struct `proofs of Apple's and others' making are answered as their README says` {
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
    private static func others() throws -> [Row] {
        try ["apple-mock/chains", "apple-mock/models"].flatMap { place in
            try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(place)")
                .map { ("\(place)/\($0)", "", "malformed") }
        }
    }

    private static let folder = Vectors.folder.path(percentEncoded: false)

    private func report(_ file: String, _ options: String = "") throws -> VerificationReport {
        let options = options.split(separator: " ").map(String.init)
        let command = try VerifyCommand.parse(options + ["\(Self.folder)/\(file)"])
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

    @Test(arguments: try mock + others())
    func `with the synthetic root, and what is no proof`(file: String, asked: String, answer: String) throws {
        try check((file, asked, answer), "--root \(Self.folder)/apple-mock/testCA.der")
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
