import Contracts
import Domain

/// Judges what a phone reports of an attempt to buy.
///
/// | order \ outcome | deferred   | cancelled, failed |
/// |-----------------|------------|-------------------|
/// | issued          | `deferred` | `closed`          |
/// | deferred        | again      | `closed`          |
/// | closed          | again      | again             |
/// | paid            | again      | again             |
/// | void            | again      | again             |
enum OrderReport {
    static let domainBytes = 1...128
    static let codeBytes = 1...64

    /// Checks what the phone names against the limits.
    static func check(_ report: OrderReportV1) throws(RequestRefusal) {
        guard report.error?.domain?.isPrintable(bytes: domainBytes) != false else { throw .errorDomain }
        guard report.error?.code?.isPrintable(bytes: codeBytes) != false else { throw .errorCode }
    }
}
