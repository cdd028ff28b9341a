import AppStoreSigning
import ArgumentParser
import Contracts
import Foundation
import Testing

@testable import Control

@Suite struct `an inspected proof` {
    let signer: AppStoreSigner
    let now = Timestamp(milliseconds: 1_767_225_600_000)

    init() throws { signer = try AppStoreSigner() }

    private func report(_ proof: String, for command: String = "") throws -> VerificationReport {
        try report(Array(proof.utf8), for: command)
    }

    private func report(_ proof: [UInt8], for command: String = "") throws -> VerificationReport {
        let arguments = command.split(separator: " ").map(String.init) + ["-"]
        let command = try VerifyCommand.parse(arguments)
        return try command.inspector(now: now, extraRoots: [signer.rootDER]).report(on: proof)
    }

    private func sign(_ json: String, by other: AppStoreSigner? = nil) throws -> String {
        try (other ?? signer).sign(payload: Array(json.utf8))
    }

    private func transaction(_ environment: String = "Production", date: Int64 = 1_767_225_600_000) -> String
    {
        #"""
        {"transactionId":"2","bundleId":"com.example.game","environment":"\#(environment)",
        "signedDate":\#(date),"newField":1}
        """#
    }

    @Test func `that holds is shown as it came, of whatever kind it is`() throws {
        for (kind, json) in [
            ("transaction", transaction()),
            ("renewalInfo", #"{"autoRenewStatus":1,"environment":"Production","signedDate":1767225600000}"#),
            ("appTransaction", #"{"receiptType":"Production","receiptCreationDate":1767225600000}"#),
            (
                "notification",
                #"{"notificationType":"TEST","data":{"environment":"Production"},"signedDate":1767225600000}"#
            ),
        ] {
            let report = try report(sign(json))
            #expect(report.isValid)
            #expect(report.kind == kind)
            #expect(report.environment == "Production")
            #expect(report.payload == (try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))))
            #expect(report.reason == nil && report.detail == nil)
        }
    }

    /// Each proof has the fault that it is refused for, and all that are looked for later.
    @Test func `with many faults is refused for the first in order`() throws {
        let stranger = try AppStoreSigner()
        let asked = "--bundle-id com.example.other --environment sandbox"
        let own = try sign(transaction())
        let expired = try sign(transaction(date: 0))
        let foreign = try sign(transaction(), by: stranger)
        let signature = foreign.split(separator: ".")[2]
        func forged(_ jws: String) -> String {
            jws.split(separator: ".").prefix(2).joined(separator: ".") + "." + signature
        }
        let local = try sign(transaction("Xcode", date: 0), by: stranger)
        let wrongType = transaction("Xcode", date: 0).replacing(#""2""#, with: "2")
        let long = String(repeating: ".", count: 513 * 1_024)
        for (proof, reason) in [
            (forged(local) + long, "tooLarge"), (forged(local) + ".", "malformed"),
            (forged(try sign(wrongType, by: stranger)), "malformed"), (forged(local), "unsigned"),
            (forged(try sign(transaction(date: 0), by: stranger)), "untrusted"),
            (forged(expired), "expiredCertificate"), (forged(own), "badSignature"), (own, "wrongApp"),
        ] {
            #expect(try report(proof, for: asked).reason == reason)
        }
        #expect(try report(own, for: "--environment sandbox").reason == "wrongEnvironment")
        #expect(try report(own, for: "--environment production --bundle-id com.example.game").isValid)
    }

    @Test func `that was refused is not shown, unless nobody claims that it was signed`() throws {
        let refused = try report(sign(transaction()), for: "--bundle-id com.example.other")
        #expect(!refused.isValid && refused.payload == nil && refused.kind == nil)
        #expect(refused.detail?.isEmpty == false)
        let local = try report(sign(transaction("LocalTesting")))
        #expect(!local.isValid && local.reason == "unsigned")
        #expect(local.kind == "transaction" && local.environment == "LocalTesting")
        #expect(local.payload != nil)
    }

    @Test func `of a notification has its signed items checked and put in their places`() throws {
        let renewal = #"{"autoRenewStatus":1,"environment":"Production","signedDate":1767225600000}"#
        func notification(_ transaction: String, _ renewal: String) throws -> String {
            try sign(
                #"""
                {"notificationType":"DID_RENEW","signedDate":1767225600000,"data":{"environment":"Production",
                "bundleId":"com.example.game","signedTransactionInfo":"\#(transaction)",
                "signedRenewalInfo":"\#(renewal)"}}
                """#
            )
        }
        let good = try report(notification(sign(transaction()), sign(renewal)))
        guard case .object(let payload) = good.payload, case .object(let data) = payload["data"] else {
            Issue.record("not shown")
            return
        }
        #expect(good.isValid && good.kind == "notification")
        #expect(data["signedTransactionInfo"] == (try report(sign(transaction())).payload))
        #expect(data["signedRenewalInfo"] == (try report(sign(renewal)).payload))

        let foreign = try sign(renewal, by: AppStoreSigner())
        let bad = try report(notification(sign(transaction()), foreign))
        #expect(bad.reason == "untrusted")
        #expect(bad.detail?.hasPrefix("signedRenewalInfo: ") == true)
        let swapped = try report(notification(sign(renewal), sign(transaction())))
        #expect(swapped.reason == "malformed")
        let inner = transaction().replacing("com.example.game", with: "com.example.other")
        let mixed = try notification(sign(inner), sign(renewal))
        #expect(try report(mixed).isValid)
        let other = try report(mixed, for: "--bundle-id com.example.game")
        #expect(other.reason == "wrongApp" && other.detail?.hasPrefix("signedTransactionInfo: ") == true)
        let tested = try notification(sign(transaction("Sandbox")), sign(renewal))
        #expect(try report(tested, for: "--environment production").reason == "wrongEnvironment")
        let local = try report(notification(sign(transaction("Xcode")), sign(renewal)))
        #expect(local.reason == "unsigned" && local.payload != nil)
    }

    @Test func `is judged at the time that was asked for`() throws {
        let jws = try sign(transaction())
        #expect(try report(jws, for: "--at signed-date").isValid)
        #expect(try report(jws, for: "--at now").isValid)
        #expect(try report(jws, for: "--at 2026-01-01T00:00:00Z").isValid)
        #expect(try report(jws, for: "--at 2051-01-01T01:00:00+01:00").reason == "expiredCertificate")
        let old = try sign(transaction(date: 0))
        #expect(try report(old).reason == "expiredCertificate")
        #expect(try report(old, for: "--at now").isValid)
    }

    @Test func `may have space around it, and base64 may be broken into lines`() throws {
        let jws = try sign(transaction())
        #expect(try report("\r\n  \(jws)\n").isValid)
        #expect(try report("a b.c.d").reason == "malformed")
        let list = #"{ "purchase-info" = "\#(base64(#"{ "transaction-id" = "33"; }"#))"; }"#
        let receipt = try report(base64(list).enumerated().map { $0 % 7 == 6 ? "\($1)\n" : "\($1)" }.joined())
        #expect(!receipt.isValid && receipt.reason == "unverified" && receipt.kind == "transactionReceipt")
        #expect(receipt.payload == .object(["transactionId": .string("33")]))
    }

    private func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    @Test func `that is nothing known is malformed`() throws {
        for rubbish in ["", "\n", "-", "rubbish", "AAAA", "MIIB", "0\u{1}", "{}", "<html></html>"] {
            #expect(try report(rubbish).reason == "malformed", "\(rubbish)")
        }
        for bytes in [
            [0x30, 0x80], [0x30, 0x82, 0xFF, 0xFF], [0x30, 0x84], [UInt8](repeating: 0xFF, count: 9),
        ] {
            #expect(try report(bytes).reason == "malformed", "\(bytes)")
        }
        let endless = [UInt8](repeating: 0x30, count: ProofFile.maximumBytes + 1)
        #expect(try report(endless).reason == "tooLarge")
    }
}
