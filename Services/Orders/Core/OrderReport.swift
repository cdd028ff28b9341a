import Contracts
import Domain

/// Judges what a phone reports of an attempt to buy.
///
/// Tested by: `OrderReportTests`.
///
/// | order \ outcome | deferred   | cancelled, failed |
/// |-----------------|------------|-------------------|
/// | issued          | `deferred` | `closed`          |
/// | deferred        | again      | `closed`          |
/// | closed          | again      | again             |
/// | paid            | again      | again             |
/// | void            | again      | again             |
enum OrderReport {
    /// Checks what the phone names against the limits.
    static func check(_ report: OrderReportV1) throws(RequestRefusal) {
        let error = report.error
        guard error?.domain?.isPrintable(bytes: Limits.errorDomainBytes) != false else { throw .errorDomain }
        guard error?.code?.isPrintable(bytes: Limits.errorCodeBytes) != false else { throw .errorCode }
    }
}
