import Contracts
import Domain
import Program

/// Why a catalog cannot take the place of the loaded one: a line for each product.
struct CatalogRefusal: ProgramError, Equatable {
    let file: String
    let version: String
    let refusals: [CatalogChange.Refusal]

    var exitCode: Int32 { Launch.usageCode }

    var description: String {
        refusals.map { refusal in
            let product = refusal.bundleId.map { "\(refusal.productId) of \($0)" } ?? "\(refusal.productId)"
            return "\(file): \(product): \(refusal.problem) (loaded: \(version))"
        }.joined(separator: "\n")
    }
}
