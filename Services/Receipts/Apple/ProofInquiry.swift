import AppStore
import Contracts
import Domain
import ReceiptsCore

/// Asks Apple what a proof is worth.
struct ProofInquiry: Sendable {
    let access: AppleAccess
    let transactions: TransactionVerifier
    /// The servers on which the apps' purchases may be, by app.
    let servers: [BundleID: [AppleServer]]

    func report(_ errand: Errand, about proof: ProofPart) async -> ErrandReport {
        switch errand.authority {
        case .serverAPI: await ask(errand, about: proof)
        case .verifyReceipt: await verify(errand, proof)
        }
    }

    // MARK: The App Store Server API

    private func ask(_ errand: Errand, about proof: ProofPart) async -> ErrandReport {
        let stated = StatedPurchases(proof)
        do throws(AppStoreServerError) {
            guard let client = try access.client(for: errand) else { return .refused(.unverified) }
            guard let (first, server) = try await first(of: stated.identifiers, errand, client) else {
                return ErrandReport(stated.identifiers.isEmpty ? .contradicted : .unknown)
            }
            var known = genuine([first.signedTransactionInfo])
            if stated.identifiers.count > 1 {
                known += try await client.pages(
                    from: GetTransactionHistory(stated.identifiers[0]),
                    on: server
                )
                .reduce(into: []) { $0 += genuine($1.signedTransactions) }
            }
            guard let found = stated.findings(known), !found.transactions.isEmpty else {
                return known.isEmpty
                    ? ErrandReport(
                        .unauthorized,
                        until: access.clock.now().advanced(by: APIFailure.alarmPause),
                        trouble: "what Apple answers is not signed by Apple"
                    ) : ErrandReport(.contradicted)
            }
            return .found(found.transactions, unreadable: found.unreadable)
        } catch {
            return access.report(error, errand)
        }
    }

    /// The first of a few transactions that Apple knows, and where; nil if it knows none of them.
    private func first(
        of identifiers: [TransactionID],
        _ errand: Errand,
        _ client: AppStoreServerClient
    ) async throws(AppStoreServerError) -> (GetTransactionInfo.Answer, AppleServer)? {
        for id in identifiers.prefix(Self.mostTried) {
            do throws(AppStoreServerError) {
                return try await client.find(
                    GetTransactionInfo(id),
                    on: servers[errand.bundleID] ?? AppleServer.allCases
                )
            } catch .notFound {
                continue
            }
        }
        return nil
    }

    /// Ids of a receipt that Apple is asked about before it counts as unknown.
    private static let mostTried = 3

    /// Those that Apple signed; what it did not sign is no answer.
    private func genuine(_ signed: [String]) -> [SignedTransaction] {
        signed.compactMap { jws in
            do throws(VerificationFailure) {
                return try transactions.verify(jws, now: access.clock.now()).transaction
            } catch {
                return nil
            }
        }
    }

    // MARK: verifyReceipt

    private func verify(_ errand: Errand, _ proof: ProofPart) async -> ErrandReport {
        guard let (client, secret) = access.verifyReceipt(of: errand.bundleID) else {
            return .refused(.unverified)
        }
        guard let bytes = ReceiptText.bytes(ofBase64: proof.text) else { return .refused(.malformed) }
        let request = VerifyReceiptRequest(receipt: Base64Text.of(bytes), secret: secret)
        let earlier = VerifyReceiptAttempts(
            count: errand.attempts + errand.troubles,
            refusals: errand.refusals
        )
        let finding = await client.verify(request, after: earlier)
        let now = access.clock.now()
        let again = finding.again ?? now.advanced(by: VerifyReceiptClient.backoff.longest)
        switch finding.decision {
        case .valid, .notEntitled: return Self.found(finding, now)
        case .retry(let trouble) where finding.decision.isRefusal:
            return ErrandReport(.doubted, until: again, trouble: trouble.summary)
        case .retry(let trouble):
            if trouble.isOfTheServer { access.pause(errand.lane, of: errand.partition, until: again) }
            return ErrandReport(.unavailable, until: again, trouble: trouble.summary)
        case .ask:
            return ErrandReport(.unavailable, until: again, trouble: "Apple points from server to server")
        // Without the shared secret Apple may say so of a genuine receipt.
        case .reject: return .refused(secret == nil ? .undecidedByApple : .refusedByApple)
        case .neverPurchased: return .refused(.neverPurchased)
        case .park: return .refused(.undecidedByApple)
        case .tooLarge: return ErrandReport(.tooLarge)
        case .wrongSecret:
            let trouble = "the app's sharedSecret for verifyReceipt is not Apple's (21004)"
            return ErrandReport(.unauthorized, until: again, trouble: trouble)
        case .ourFault:
            return ErrandReport(.unauthorized, until: again, trouble: "Apple calls the request wrong (21000)")
        }
    }

    private static func found(_ finding: VerifyReceiptFinding, _ now: Timestamp) -> ErrandReport {
        guard let answer = finding.answer else { return ErrandReport(.unavailable, until: now) }
        let found = answer.payments(from: finding.server, now: now)
        var report = ErrandReport.found(found.transactions, unreadable: found.unreadable.count)
        report.appAppleId = answer.receipt?.appAppleId
        return report
    }
}

extension AppleAccess {
    /// The client of an errand's app and partition; nil when no key is configured.
    func client(for errand: Errand) throws(AppStoreServerError) -> AppStoreServerClient? {
        do {
            return try client(of: errand.bundleID, partition: errand.partition)
        } catch {
            throw .unauthorized
        }
    }

    /// What an error of the API means, after the lane was told to rest if others would meet the same.
    func report(_ error: AppStoreServerError, _ errand: Errand) -> ErrandReport {
        let failure = APIFailure(error, now: clock.now())
        if let pause = failure.pause { self.pause(errand.lane, of: errand.partition, until: pause) }
        return failure.report
    }
}

extension VerifyReceiptDecision.Trouble {
    /// Whether any other receipt would have met the same.
    fileprivate var isOfTheServer: Bool {
        switch self {
        case .circuitOpen, .busy: true
        case .status, .http, .noStatus, .noAnswer: false
        }
    }

    /// A few words for the operator.
    fileprivate var summary: String {
        switch self {
        case .status(let status): "verifyReceipt says \(status)"
        case .http(let status): "verifyReceipt answers HTTP \(status)"
        case .noStatus: "verifyReceipt answers without a status"
        case .noAnswer(let failure): "verifyReceipt does not answer: \(failure.rawValue)"
        case .circuitOpen: "verifyReceipt does not answer; calls rest"
        case .busy: "too many calls are under way"
        }
    }
}
