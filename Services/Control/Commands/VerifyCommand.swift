import AppStore
import ArgumentParser
import Contracts
import Delivery
import FoundationEssentials
import Glibc
import Program

struct VerifyCommand: ParsableCommand {
    enum ExpectedEnvironment: String, ExpressibleByArgument, CaseIterable {
        case production, sandbox

        var environment: Environment { self == .production ? .production : .sandbox }
    }

    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Checks a proof of payment by Apple's signature and prints what it says.",
        discussion: """
            Takes what Apple signs (transactions, renewal info, app transactions, notifications, app receipts) \
            as JWS, base64 or DER, and the receipts of iOS 6, of which only the transaction's id can be read. \
            Prints one JSON object. Exit code 0: it is valid. 1: it is not, and `reason` says why. 2: wrong usage.
            """
    )

    @Option(name: .customLong("root"), help: "A root certificate to trust beside Apple's, DER or PEM.")
    var roots: [String] = []

    @Option(help: "The bundle id that it has to be signed for (renewal info names none).")
    var bundleID: String?

    @Option(help: "The app's number in the App Store that it has to be signed for, where it names one.")
    var appAppleID: Int64?

    @Option(help: "The environment that it has to come from: production or sandbox.")
    var environment: ExpectedEnvironment?

    @Option(help: "When its certificates have to be valid: signed-date, now, or a time as in RFC 3339.")
    var at: ValidityTime = .signedDate

    @Option(help: "The device that an app receipt has to be made for: a UUID, or a Mac's address.")
    var deviceID: String?

    @Flag(help: "Read one file name per line from standard input, and print one line for each.")
    var batch = false

    @Argument(help: "The file, or - for standard input.")
    var file: String?

    mutating func validate() throws {
        if batch, file != nil { throw ValidationError("--batch takes its file names from standard input.") }
        if !batch, file == nil { throw ValidationError("Say which file, or - for standard input.") }
        if let deviceID, !Self.isDevice(deviceID) {
            throw ValidationError("--device-id must be a UUID, or six bytes in hexadecimal.")
        }
    }

    func run() throws {
        let inspector = try inspector(now: ClockReading.current().now)
        let areValid =
            try file.map { try show(inspector.report(on: ProofFile.read($0))) } ?? showAll(inspector)
        guard areValid else { throw ExitCode.failure }
    }

    func inspector(now: Timestamp, extraRoots: [[UInt8]] = []) throws -> ProofInspector {
        ProofInspector(
            expectation: ExpectedOrigin(
                bundleId: bundleID,
                appAppleId: appAppleID,
                environments: environment.map { [$0.environment] }
            ),
            deviceID: deviceID,
            time: at,
            now: now,
            extraRoots: try roots.flatMap(Self.certificates(inFile:)) + extraRoots
        )
    }

    /// Prints each answer at once: whoever writes the names may wait for it.
    private func showAll(_ inspector: ProofInspector) throws -> Bool {
        var areValid = true
        while let name = readLine() {
            if name.isEmpty { continue }
            var report: VerificationReport
            do {
                report = inspector.report(on: try ProofFile.read(name))
            } catch {
                report = VerificationReport(VerificationFailure(.malformed, "the file cannot be read"))
            }
            report.file = name
            areValid = try show(report) && areValid
            fflush(nil)
        }
        return areValid
    }

    private func show(_ report: VerificationReport) throws -> Bool {
        try Terminal.printJSON(report)
        return report.isValid
    }

    private static func certificates(inFile name: String) throws -> [[UInt8]] {
        guard let found = CertificateFile.certificates(in: try ProofFile.read(name)) else {
            throw CommandFailure.usage("\(name) holds no certificate; give DER or PEM")
        }
        return found
    }

    /// 16 bytes, as on phones, or 6, as on a Mac.
    private static func isDevice(_ text: String) -> Bool {
        let digits = text.filter { $0 != "-" && $0 != ":" }
        return [32, 12].contains(digits.utf8.count) && digits.allSatisfy(\.isHexDigit)
    }
}
