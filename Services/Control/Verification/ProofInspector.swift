import AppStore
import Contracts

/// Verifies any proof of payment.
///
/// The first failing check is the answer, in this order: `malformed` or `tooLarge`, `unsigned`,
/// `untrusted` or `expiredCertificate`, `badSignature`, `wrongApp`, `wrongEnvironment`.
struct ProofInspector {
    private let expectation: ExpectedOrigin
    private let deviceID: String?
    private let now: Timestamp
    /// When certificates must be valid; nil for the date in the proof.
    private let time: Timestamp?
    private let signedData: SignedDataVerifier
    private let appReceipts: AppReceiptVerifier

    init(
        expectation: ExpectedOrigin = ExpectedOrigin(),
        deviceID: String? = nil,
        time: ValidityTime = .signedDate,
        now: Timestamp,
        extraRoots: [[UInt8]] = []
    ) {
        self.expectation = expectation
        self.deviceID = deviceID
        self.now = now
        self.time = time.instead(now: now)
        signedData = SignedDataVerifier(extraRoots: extraRoots)
        appReceipts = AppReceiptVerifier(extraRoots: extraRoots)
    }

    func report(on bytes: [UInt8]) -> VerificationReport {
        do throws(VerificationFailure) {
            guard bytes.count <= ProofFile.maximumBytes else {
                throw VerificationFailure(.tooLarge, "more than \(ProofFile.maximumBytes) bytes")
            }
            switch try ProofContent(bytes) {
            case .signedData(let jws): return try report(on: SignedData(jws))
            case .appReceipt(let receipt): return try report(onReceipt: receipt)
            case .transactionReceipt(let id):
                return VerificationReport(
                    kind: "transactionReceipt",
                    payload: .object(["transactionId": .string(id)]),
                    reason: "unverified",
                    detail: "its signature proves nothing any more; ask Apple about the transaction"
                )
            }
        } catch {
            return VerificationReport(error)
        }
    }

    private func report(on data: SignedData) throws(VerificationFailure) -> VerificationReport {
        let kind = data.kind.rawValue
        let environment = data.decoded.origin.environment
        do throws(VerificationFailure) {
            try signedData.authenticate(data, at: time, now: now)
            let items = try innerItems(of: data)
            try expectation.check(data.decoded.origin)
            for (item, inner) in items {
                try item.checking { () throws(VerificationFailure) in
                    try expectation.check(inner.decoded.origin)
                }
            }
            var payload = try data.payload()
            for (item, inner) in items { payload = payload.expanding(item, to: try inner.payload()) }
            return Self.report(kind, environment, payload)
        } catch {
            guard error.reason == .unsigned else { throw error }
            return Self.report(kind, environment, try data.payload(), error)
        }
    }

    /// The signed items in a notification, each verified separately.
    private func innerItems(
        of data: SignedData
    ) throws(VerificationFailure) -> [(item: SignedItem, data: SignedData)] {
        var items: [(SignedItem, SignedData)] = []
        for item in SignedItem.allCases {
            let inner = try item.checking { () throws(VerificationFailure) -> SignedData? in
                guard let inner = try data.inner(item) else { return nil }
                try signedData.authenticate(inner, at: time, now: now)
                return inner
            }
            if let inner { items.append((item, inner)) }
        }
        return items
    }

    private func report(onReceipt bytes: [UInt8]) throws(VerificationFailure) -> VerificationReport {
        let claimed = try AppReceipt(unverified: bytes)
        do throws(VerificationFailure) {
            let receipt = try appReceipts.verify(bytes, at: time, deviceID: deviceID)
            try expectation.check(receipt.origin)
            return Self.report("appReceipt", receipt.environment, receipt.verifyReceiptFields)
        } catch {
            guard error.reason == .unsigned else { throw error }
            return Self.report("appReceipt", claimed.environment, claimed.verifyReceiptFields, error)
        }
    }

    /// Reports a proof that is valid or does not claim a signature.
    private static func report(
        _ kind: String,
        _ environment: Environment?,
        _ payload: JSONValue,
        _ failure: VerificationFailure? = nil
    ) -> VerificationReport {
        var report = failure.map(VerificationReport.init) ?? VerificationReport(isValid: true)
        report.kind = kind
        report.environment = environment?.rawValue
        report.payload = payload
        return report
    }
}

extension JSONValue {
    /// A notification's payload with the content of one signed item in its place.
    fileprivate func expanding(_ item: SignedItem, to payload: JSONValue) -> JSONValue {
        guard case .object(var members) = self else { return self }
        for (name, value) in members {
            guard case .object(var part) = value, part[item.rawValue] != nil else { continue }
            part[item.rawValue] = payload
            members[name] = .object(part)
        }
        return .object(members)
    }
}
